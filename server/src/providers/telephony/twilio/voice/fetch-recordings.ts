import { type After, readWav, resample } from "#calls/index.ts";
import type { CarrierRecording, VoiceClient } from "./voice-client.ts";

/** Delays before each request for a recording that the carrier is still writing. */
const pollAfterMs = [0, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000];
/** Longer than a call may last. */
const secondsMax = 15_000;

/** How often a carrier is asked for a verb's recording while the call waits. */
const fewTimes = 4;

interface Recorder {
  client: VoiceClient;
  after: After;
}

interface Wanted {
  callSid: string;
  isWanted(recording: CarrierRecording): boolean;
  /** Makes fewer attempts. */
  isBrief?: boolean;
}

/** Returns the wanted recording of a call once it's complete, or null if there isn't one. */
export async function awaitRecording(
  { client, after }: Recorder,
  { callSid, isWanted, isBrief = false }: Wanted,
): Promise<CarrierRecording | null> {
  for (const ms of isBrief ? pollAfterMs.slice(0, fewTimes) : pollAfterMs) {
    if (ms > 0) await new Promise<void>((resolve) => after(ms, resolve));
    const found = (await client.recordings(callSid))?.find(isWanted);
    if (found?.isComplete === true) return found;
  }
  return null;
}

/** Downloads a recording and what its header says. Null if it can't be downloaded or isn't audio. */
export async function takeRecording(
  { client, after }: Recorder,
  given: { sid: string; channels: 1 | 2 },
): Promise<{ wav: Buffer; channels: 1 | 2; durationMs: number } | null> {
  for (const ms of pollAfterMs.slice(0, fewTimes)) {
    if (ms > 0) await new Promise<void>((resolve) => after(ms, resolve));
    const wav = await client.download(given.sid, given.channels);
    if (wav === null) continue;
    const { frames, rate } = readWav(wav, secondsMax);
    return { wav, channels: channelsOf(wav), durationMs: Math.round((frames * 1_000) / rate) };
  }
  return null;
}

/** Downloads what a callee said for one verb, in the format of calls. */
export async function fetchSpeech(recorder: Recorder, sid: string): Promise<Buffer> {
  const taken = await takeRecording(recorder, { sid, channels: 1 });
  return taken === null ? Buffer.alloc(0) : resample(readWav(taken.wav, secondsMax));
}

/** `readWav` has already validated the header. */
function channelsOf(wav: Buffer): 1 | 2 {
  return wav.readUInt16LE(wav.indexOf("fmt ", 12, "latin1") + 10) === 2 ? 2 : 1;
}
