import { type After, BadSound, type CarrierCopy, type CarrierFile, type RecordedWav, readWav, resample } from "#calls/index.ts";
import type { VoiceAccount } from "./settings.ts";
import type { CarrierRecording, VoiceClient } from "./voice-client.ts";

/** Delays before each request for a recording that the carrier is still writing. */
const pollAfterMs = [0, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000];
/** Delays before each request to delete what verbs recorded. */
const deleteAfterMs = [0, 5_000, 60_000, 300_000];
/** Longer than a call may last. */
const secondsMax = 15_000;

/** How often a carrier is asked for a recording while something waits for it. */
const fewTimes = 4;

interface Recorder {
  client: VoiceClient;
  after: After;
}

interface Wanted {
  callSid: string;
  isWanted(recording: CarrierRecording): boolean;
  /** How often the carrier is asked. */
  times?: number;
}

/** Returns the wanted recording of a call once it's complete, or null if there is none. Throws if it isn't complete or listed in time. */
export async function awaitRecording(
  { client, after }: Recorder,
  { callSid, isWanted, times = fewTimes }: Wanted,
): Promise<CarrierRecording | null> {
  let fault: unknown = null;
  for (const ms of pollAfterMs.slice(0, times)) {
    if (ms > 0) await new Promise<void>((resolve) => after(ms, resolve));
    try {
      const found = await client.findRecording(callSid, isWanted);
      if (found?.isComplete === true) return found;
      fault = found === null ? null : new Error("the recording isn't complete at the carrier yet");
    } catch (error) {
      fault = error;
    }
  }
  if (fault !== null) throw fault;
  return null;
}

interface Account {
  client: VoiceClient;
  account: VoiceAccount;
}

/** Finds the recording of a whole call at its carrier, once it's complete there; `isPatient` waits for that. */
export async function findWhole(
  { client, account }: Account,
  { copy, after, isPatient }: { copy: CarrierCopy; after: After; isPatient: boolean },
): Promise<CarrierFile | null> {
  const times = isPatient ? pollAfterMs.length : 1;
  const found = await awaitRecording({ client, after }, { callSid: copy.call_sid, isWanted: ({ isVerb }) => !isVerb, times });
  if (found === null) return null;
  return {
    // Once: what failed is tried again later, and others wait for this turn.
    download: () => takeRecording({ client, after }, { sid: found.sid, channels: copy.channels, times: 1 }),
    remove: async () => void (account.deletesRecordings && (await client.deleteRecording(found.sid))),
  };
}

/** Downloads a recording and what its header says. Throws if it can't be downloaded, with BadSound if it isn't audio or is too large. */
async function takeRecording({ client, after }: Recorder, given: { sid: string; channels: 1 | 2; times: number }): Promise<RecordedWav> {
  let fault: unknown = null;
  for (const ms of pollAfterMs.slice(0, given.times)) {
    if (ms > 0) await new Promise<void>((resolve) => after(ms, resolve));
    try {
      const wav = await client.download(given.sid, given.channels);
      const { frames, rate } = readWav(wav, secondsMax);
      return { wav, channels: channelsOf(wav), durationMs: Math.round((frames * 1_000) / rate) };
    } catch (error) {
      if (error instanceof BadSound) throw error;
      fault = error;
    }
  }
  throw fault;
}

/** Downloads what a callee said for one verb, in the format of calls. Throws if it can't be downloaded. */
export async function fetchSpeech(recorder: Recorder, sid: string): Promise<Buffer> {
  const { wav } = await takeRecording(recorder, { sid, channels: 1, times: fewTimes });
  return resample(readWav(wav, secondsMax));
}

/** Deletes what verbs recorded. Throws if the carrier didn't delete everything after several requests. */
export async function deleteSpeech({ client, after }: Recorder, sids: Iterable<string>): Promise<void> {
  const left = new Set(sids);
  let cause: unknown = null;
  for (const ms of deleteAfterMs) {
    if (ms > 0) await new Promise<void>((resolve) => after(ms, resolve));
    for (const sid of left) {
      await client.deleteRecording(sid).then(
        () => left.delete(sid),
        (error: unknown) => (cause = error),
      );
    }
    if (left.size === 0) return;
  }
  throw new Error(`the carrier still has ${left.size} recordings`, { cause });
}

/** `readWav` has already validated the header. */
function channelsOf(wav: Buffer): 1 | 2 {
  return wav.readUInt16LE(wav.indexOf("fmt ", 12, "latin1") + 10) === 2 ? 2 : 1;
}
