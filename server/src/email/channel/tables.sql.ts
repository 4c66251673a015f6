import type { SendingChannel } from "#messaging/index.ts";

export const messagesTable: SendingChannel["messages"] = { table: (tag) => tag`emails` };

/** A job is one recipient's copy; its name consists of the message's id and its own. */
export const emailQueue: SendingChannel["queue"] = {
  name: "emails",
  table: (tag) => tag`email_recipients`,
  job: (tag) => tag`q.email_id || '/' || q.id`,
};
