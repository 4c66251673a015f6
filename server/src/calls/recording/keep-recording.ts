import type { Ctx } from "#platform/index.ts";
import { sampleRate, wavOf } from "../audio/write-wav.ts";
import type { RecordedFile, RecordedWav } from "../transport.ts";
import { noteFile, storeFile } from "./store-file.ts";
import { bytesMax, type RecordedCall, storeRecording } from "./store-recording.ts";

/** What was recorded: μ-law samples, or a whole call. */
type Recorded = { source: "verb"; samples: Buffer } | ({ source: "call"; isLater?: boolean } & (RecordedWav | RecordedFile));

/**
 * Stores a recording for thirty days and emits an event; returns its id, or null if it is empty. A file, or a recording at a carrier, that
 * can't be stored now is stored later; with `isLater`, it is only noted for that.
 */
export async function keepRecording(ctx: Ctx, call: RecordedCall, recorded: Recorded): Promise<string | null> {
  if (recorded.source === "verb") {
    const { samples } = recorded;
    const durationMs = (samples.length * 1_000) / sampleRate;
    if (durationMs === 0) return null;
    return storeRecording(ctx, call, { source: "verb", read: () => ({ wav: wavOf(samples), channels: 1, durationMs }) });
  }
  const { source, isLater = false, ...whole } = recorded;
  if (isFile(whole)) return isLater ? noteFile(ctx, call, whole) : storeFile(ctx, call, whole);
  return whole.wav.length > bytesMax ? null : storeRecording(ctx, call, { source, read: () => whole });
}

function isFile(whole: RecordedWav | RecordedFile): whole is RecordedFile {
  return typeof whole.wav === "string";
}
