import { isoOf } from "#platform/index.ts";
import type { RecordingRow } from "./shapes.ts";

/** A recording in events: the address is requested separately by someone who can listen. */
export function shownOf({
  id,
  project_id,
  livemode,
  call_id,
  source,
  channels,
  duration_ms,
  size_bytes,
  due_at,
  created_at,
}: RecordingRow) {
  return {
    id,
    object: "recording" as const,
    project_id,
    livemode,
    call_id,
    source,
    channels,
    duration: Math.ceil(duration_ms / 1_000),
    size_bytes,
    expires_at: isoOf(due_at),
    created_at: isoOf(created_at),
  };
}
