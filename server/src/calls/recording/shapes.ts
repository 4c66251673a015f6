import type { Tenant } from "#platform/index.ts";

export const recordingSources = ["call", "verb"] as const;

/** A recording of a call, or of what a callee said for one verb. */
export interface RecordingRow extends Tenant {
  id: string;
  call_id: string;
  source: (typeof recordingSources)[number];
  channels: 1 | 2;
  duration_ms: number;
  size_bytes: number;
  storage_key: string;
  state: "storing" | "kept" | "deleted";
  /** When a sweep removes it. */
  due_at: Date;
  created_at: Date;
}

export type NewRecording = Omit<RecordingRow, "state" | "due_at" | "created_at">;
