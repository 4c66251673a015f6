import type { CallRow } from "../shapes.ts";

/**
 * The new values of a call that returns to the queue unplaced. One with a hang-up request is canceled, because it would get the request
 * only with its next turn.
 */
export function requeued(call: Readonly<CallRow>, { now, due_at }: { now: Date; due_at: Date }): Partial<CallRow> {
  if (call.hangup_asked_at !== null) return { status: "canceled", hangup_by: "caller", ended_at: now };
  return { state: "due", due_at };
}
