import type { SendingChannel } from "#messaging/index.ts";

export const callsTable: SendingChannel["messages"] = { table: (tag) => tag`calls` };

/** A call is its own job. */
export const callQueue: SendingChannel["queue"] = { name: "calls", table: (tag) => tag`calls`, job: (tag) => tag`q.id` };
