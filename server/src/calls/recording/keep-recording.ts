import { readFile, rm, stat } from "node:fs/promises";
import { limitConcurrency } from "#messaging/index.ts";
import { atNow, type Ctx, isoOf } from "#platform/index.ts";
import { sampleRate, wavOf } from "../audio/write-wav.ts";
import { changeCalls } from "../change/change-calls.ts";
import type { CallRow } from "../shapes.ts";
import type { NewRecording, RecordingRow } from "./shapes.ts";
import { insertRecording, updateSaved } from "./sql.ts";

/** Much longer than storing the bytes takes. */
const storingMs = 3_600_000;
const retentionMs = 30 * 86_400_000;
/** An hour of both sides, with a margin. */
const bytesMax = 128 * 1024 * 1024;

/** What was recorded: μ-law samples, or a WAV, as bytes or as a file, which is moved. */
type Recorded = { source: "verb"; samples: Buffer } | { source: "call"; wav: Buffer | string; channels: 1 | 2; durationMs: number };

/** A call's recording is read into memory before it is stored: when a hundred calls end at once, their recordings take turns. */
const stored = limitConcurrency(2);

/**
 * Stores a recording for thirty days and emits an event; returns its id, or null if it is empty. Its record is written before its bytes, so
 * that a sweep removes what a crash leaves behind.
 */
export function keepRecording(ctx: Ctx, call: CallRow, recorded: Recorded): Promise<string | null> {
  return stored(() => keep(ctx, call, recorded));
}

async function keep(ctx: Ctx, call: CallRow, recorded: Recorded): Promise<string | null> {
  const { wav, channels, durationMs } = await bytesOf(recorded);
  if (wav === null || durationMs <= 0) return null;
  const id = ctx.id("rec");
  const { project_id, livemode } = call;
  const row: NewRecording = {
    project_id,
    livemode,
    id,
    call_id: call.id,
    source: recorded.source,
    channels,
    duration_ms: Math.round(durationMs),
    size_bytes: wav.length,
    storage_key: `recordings/${project_id}/${livemode ? "live" : "test"}/${id}`,
  };
  await insertRecording(ctx.db, row, storingMs);
  await ctx.files.put(row.storage_key, wav);
  await ctx.transact(async (tx) => {
    const saved = await updateSaved(tx, row, retentionMs);
    if (saved === null) throw new Error("a recording was swept while it was being stored");
    const pinned = await atNow(ctx, tx);
    const emit = { event: "recording_ready", recording: shownOf(saved) };
    await changeCalls(tx, pinned, { keys: [{ project_id, livemode, id: call.id }], change: () => ({ emit }) });
  });
  return id;
}

async function bytesOf(recorded: Recorded): Promise<{ wav: Buffer | null; channels: 1 | 2; durationMs: number }> {
  if (recorded.source === "verb") {
    const { samples } = recorded;
    return { wav: wavOf(samples), channels: 1, durationMs: (samples.length * 1_000) / sampleRate };
  }
  const { wav, channels, durationMs } = recorded;
  if (typeof wav !== "string") return { wav: wav.length > bytesMax ? null : wav, channels, durationMs };
  try {
    const { size } = await stat(wav);
    if (size > bytesMax) throw new Error(`a recording of ${size} bytes is too large to be kept`);
    return { wav: await readFile(wav), channels, durationMs };
  } finally {
    await rm(wav, { force: true });
  }
}

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
