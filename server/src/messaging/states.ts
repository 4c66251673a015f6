import { defineStates } from "#platform/index.ts";

/**
 * A message's state in its channel's queue: `waiting` for its time, `due`, leased by a worker, `set_aside` until an operator releases it,
 * or `done`.
 */
export type QueueState = "waiting" | "due" | "leased" | "set_aside" | "done";

/** Completed messages are never sent again, and nothing is sent without a lease. */
export const queueStates = defineStates<QueueState>("message in the queue", {
  waiting: ["due", "done"],
  due: ["waiting", "leased", "set_aside", "done"],
  leased: ["waiting", "due", "set_aside", "done"],
  set_aside: ["due", "done"],
  done: [],
});
