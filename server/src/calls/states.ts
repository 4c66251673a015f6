import { defineStates } from "#platform/index.ts";

export type CallStatus =
  | "scheduled"
  | "queued"
  | "initiated"
  | "ringing"
  | "in_progress"
  | "completed"
  | "busy"
  | "no_answer"
  | "failed"
  | "canceled";

/**
 * All legal transitions of a call. From `initiated` on the network may know about it, so it never returns to `queued`. An answered call is
 * completed, or failed if the process that ran it was lost.
 */
export const callStates = defineStates<CallStatus>("call", {
  scheduled: ["queued", "canceled", "failed"],
  queued: ["scheduled", "initiated", "canceled", "failed"],
  initiated: ["ringing", "in_progress", "busy", "no_answer", "failed", "canceled"],
  ringing: ["in_progress", "busy", "no_answer", "failed", "canceled"],
  in_progress: ["completed", "failed"],
  completed: [],
  busy: [],
  no_answer: [],
  failed: [],
  canceled: [],
});

export const callStatuses = callStates.all;

const ends: ReadonlySet<CallStatus> = new Set(["completed", "busy", "no_answer", "failed", "canceled"]);

export function isEnded(status: CallStatus): boolean {
  return ends.has(status);
}

/** True if the network was asked to place the call. */
export function isStarted(status: CallStatus): boolean {
  return status === "initiated" || status === "ringing" || status === "in_progress";
}
