import type { Ctx } from "#platform/index.ts";
import { sampleRate, wavOf } from "../audio/write-wav.ts";
import { storeFile } from "./store-file.ts";
import { bytesMax, type RecordedCall, storeRecording } from "./store-recording.ts";

/** What was recorded: μ-law samples, or a WAV, as bytes or as a file, which is moved. */
type Recorded = { source: "verb"; samples: Buffer } | { source: "call"; wav: Buffer | string; channels: 1 | 2; durationMs: number };

/**
 * Stores a recording for thirty days and emits an event; returns its id, or null if it is empty. A file that can't be stored now stays, and
 * is stored later.
 */
export function keepRecording(ctx: Ctx, call: RecordedCall, recorded: Recorded): Promise<string | null> {
  if (recorded.source === "verb") {
    const { samples } = recorded;
    const durationMs = (samples.length * 1_000) / sampleRate;
    return storeRecording(ctx, call, { source: "verb", read: () => wavOf(samples), channels: 1, durationMs });
  }
  const { source, wav, channels, durationMs } = recorded;
  if (typeof wav === "string") return storeFile(ctx, call, { wav, channels, durationMs });
  return wav.length > bytesMax ? Promise.resolve(null) : storeRecording(ctx, call, { source, read: () => wav, channels, durationMs });
}
