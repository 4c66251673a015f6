import type { SendingChannel } from "#messaging/index.ts";

/** A message is its own job: it has one recipient. */
export const smsQueue: SendingChannel["queue"] = {
  name: "sms",
  table: (tag) => tag`sms`,
  job: (tag) => tag`q.id`,
};
