import { alawSamples, mulawSamples } from "./g711.ts";

/** Audio that can't be played. The message tells its merchant why. */
export class BadSound extends Error {}

/** Samples of a WAV file, its channels mixed into one. */
export interface Wav {
  rate: number;
  frames: number;
  /** From -1 to 1. */
  at(frame: number): number;
}

const soundSecondsMax = 300;
const rates = { min: 8_000, max: 48_000 };
const chunksMax = 100;

interface Format {
  kind: number;
  channels: number;
  rate: number;
  bytes: number;
}

/** Reads the header of a WAV file; samples are only decoded on access. Throws BadSound. */
export function readWav(file: Buffer, secondsMax = soundSecondsMax): Wav {
  if (file.length < 12 || file.toString("latin1", 0, 4) !== "RIFF" || file.toString("latin1", 8, 12) !== "WAVE")
    throw new BadSound("The audio isn't a WAV file. Convert it to WAV: PCM, μ-law or A-law.");
  let format: Format | null = null;
  for (let [at, chunks] = [12, 0]; at + 8 <= file.length && chunks < chunksMax; chunks += 1) {
    const name = file.toString("latin1", at, at + 4);
    const size = file.readUInt32LE(at + 4);
    const body = file.subarray(at + 8, at + 8 + size);
    if (name === "fmt ") format = formatOf(body);
    if (name === "data" && format !== null) return samplesOf(body, format, secondsMax);
    at += 8 + size + (size % 2);
  }
  throw new BadSound("The WAV file contains no audio.");
}

const extensible = 0xfffe;
/** The sample sizes in bytes that each format may have: PCM, IEEE float, A-law, μ-law. */
const widths: Readonly<Record<number, readonly number[]>> = { 1: [1, 2, 3, 4], 3: [4], 6: [1], 7: [1] };

function formatOf(body: Buffer): Format {
  if (body.length < 16) throw new BadSound("The WAV file's header is incomplete.");
  const tag = body.readUInt16LE(0);
  const kind = tag === extensible && body.length >= 26 ? body.readUInt16LE(24) : tag;
  const [channels, rate, bytes] = [body.readUInt16LE(2), body.readUInt32LE(4), body.readUInt16LE(14) / 8];
  if (!(widths[kind] ?? []).includes(bytes)) throw new BadSound("The WAV file's encoding isn't supported. Use PCM, μ-law or A-law.");
  if (channels < 1 || channels > 2) throw new BadSound("The WAV file must have one or two channels.");
  if (rate < rates.min || rate > rates.max) throw new BadSound(`The WAV file must have ${rates.min} to ${rates.max} samples per second.`);
  return { kind, channels, rate, bytes };
}

function samplesOf(body: Buffer, { kind, channels, rate, bytes }: Format, secondsMax: number): Wav {
  const frames = Math.floor(body.length / (bytes * channels));
  if (frames === 0) throw new BadSound("The WAV file contains no audio.");
  if (frames > rate * secondsMax) throw new BadSound(`The audio is longer than ${secondsMax} seconds.`);
  const sample = readerOf(kind, bytes);
  const one = (place: number) => sample(body, place * bytes);
  return { rate, frames, at: channels === 1 ? one : (frame) => (one(frame * 2) + one(frame * 2 + 1)) / 2 };
}

function readerOf(kind: number, bytes: number): (body: Buffer, at: number) => number {
  if (kind === 7) return (body, at) => (mulawSamples[body[at] as number] as number) / 32_768;
  if (kind === 6) return (body, at) => (alawSamples[body[at] as number] as number) / 32_768;
  if (kind === 3) return (body, at) => finite(body.readFloatLE(at));
  if (bytes === 1) return (body, at) => ((body[at] as number) - 128) / 128;
  const whole = 2 ** (bytes * 8 - 1);
  return (body, at) => body.readIntLE(at, bytes) / whole;
}

/** Floats can have any value, so it is limited to full volume. */
function finite(value: number): number {
  return Number.isFinite(value) ? Math.max(-1, Math.min(1, value)) : 0;
}
