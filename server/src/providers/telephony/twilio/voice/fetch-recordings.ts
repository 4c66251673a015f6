import { type After, readWav, resample } from "#calls/index.ts";
import type { CarrierRecording, VoiceClient } from "./voice-client.ts";

/** When a carrier is asked for a recording that it is still writing. */
const askAfterMs = [0, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000];
/** Longer than a call may last. */
const secondsMax = 15_000;

/** How often a carrier is asked for a verb's recording, while the call waits. */
const fewTimes = 4;

interface Recorder {
  client: VoiceClient;
  after: After;
}

interface Wanted {
  callSid: string;
  isWanted(recording: CarrierRecording): boolean;
  /** Gives up sooner. */
  isBrief?: boolean;
}

/** The recording of a call that is wanted, once it is complete. Null where there is none. */
export async function awaitRecording({ client, after }: Recorder, { callSid, isWanted, isBrief = false }: Wanted): Promise<CarrierRecording | null> {
  for (const ms of isBrief ? askAfterMs.slice(0, fewTimes) : askAfterMs) {
    if (ms > 0) await new Promise<void>((resolve) => after(ms, resolve));
    const found = (await client.recordings(callSid))?.find(isWanted);
    if (found?.isComplete === true) return found;
  }
  return null;
}

/** A recording as it came, and what its head says of it. Null where it cannot be had, or is no sound. */
export async function takeRecording(
  { client, after }: Recorder,
  given: { sid: string; channels: 1 | 2 },
): Promise<{ wav: Buffer; channels: 1 | 2; durationMs: number } | null> {
  for (const ms of askAfterMs.slice(0, fewTimes)) {
    if (ms > 0) await new Promise<void>((resolve) => after(ms, resolve));
    const wav = await client.download(given.sid, given.channels);
    if (wav === null) continue;
    const { frames, rate } = readWav(wav, secondsMax);
    return { wav, channels: channelsOf(wav), durationMs: Math.round((frames * 1_000) / rate) };
  }
  return null;
}

/** What a callee said for one verb, as calls hear it. */
export async function takeSaid(recorder: Recorder, sid: string): Promise<Buffer> {
  const taken = await takeRecording(recorder, { sid, channels: 1 });
  return taken === null ? Buffer.alloc(0) : resample(readWav(taken.wav, secondsMax));
}

/** `readWav` has read its head before. */
function channelsOf(wav: Buffer): 1 | 2 {
  return wav.readUInt16LE(wav.indexOf("fmt ", 12, "latin1") + 10) === 2 ? 2 : 1;
}
