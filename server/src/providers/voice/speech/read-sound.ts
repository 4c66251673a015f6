import { readWav, resample } from "#calls/index.ts";
import { SpeechError } from "./speech-error.ts";

const unknownLength = 0x7fff_0000;
/** 4 000 characters at half speed are a little more than 8 minutes of English. */
const secondsMax = 900;

/** Decodes an engine's WAV into samples of a call: signed 16-bit PCM, 8 000 Hz, mono. */
export async function readSound(wav: Buffer, engine: string): Promise<Buffer> {
  try {
    return await resample(readWav(withTrueLength(wav), secondsMax));
  } catch (error) {
    throw new SpeechError(`${engine} returned audio that can't be played: ${error instanceof Error ? error.message : "it is damaged."}`);
  }
}

/** A program that writes to a pipe doesn't know the length yet and announces an impossible one: the data then extends to the end. */
function withTrueLength(wav: Buffer): Buffer {
  const data = wav.indexOf("data", 12, "latin1");
  if (data < 0 || data + 8 > wav.length || wav.readUInt32LE(data + 4) < unknownLength) return wav;
  const mended = Buffer.from(wav);
  mended.writeUInt32LE(wav.length - data - 8, data + 4);
  return mended;
}
