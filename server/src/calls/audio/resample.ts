import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { Wav } from "./read-wav.ts";
import { sampleRate } from "./write-wav.ts";

/** Zero crossings of the low-pass filter on each side: without it, frequencies above half of the telephone's rate would alias. */
const crossings = 8;
/** How many samples are computed before other work runs. */
const atATurn = 4_000;

/** Converts audio to the format of calls: signed 16-bit PCM, 8 000 Hz, mono. Yields to other work in between. */
export async function resample({ rate, frames, at }: Wav): Promise<Buffer> {
  const ratio = rate / sampleRate;
  const length = Math.max(1, Math.floor(frames / ratio));
  const pcm = Buffer.allocUnsafe(length * 2);
  const taps = tapsOf(rate);
  for (let place = 0; place < length; place += 1) {
    if (place % atATurn === atATurn - 1) await yieldToEventLoop();
    pcm.writeInt16LE(toSample(ratio === 1 ? at(place) : filtered({ frames, at }, place * ratio, taps)), place * 2);
  }
  return pcm;
}

interface Taps {
  half: number;
  ofPhase(fraction: number): Float64Array;
}

/** The low-pass filter for one rate; positions between two samples recur, so each is computed once. */
function tapsOf(rate: number): Taps {
  const ratio = rate / sampleRate;
  const half = Math.ceil(crossings * ratio);
  const phases = new Map<number, Float64Array>();
  return {
    half,
    ofPhase(fraction) {
      const name = Math.round(fraction * sampleRate);
      const known = phases.get(name);
      if (known !== undefined) return known;
      const weights = Float64Array.from({ length: half * 2 }, (_none, index) => weightAt((index - half + 1 - fraction) / ratio));
      const sum = weights.reduce((total, one) => total + one, 0);
      const made = weights.map((one) => one / sum);
      phases.set(name, made);
      return made;
    },
  };
}

/** A sinc in a Hann window; `x` counts zero crossings from its center. */
function weightAt(x: number): number {
  if (Math.abs(x) >= crossings) return 0;
  const window = 0.5 + 0.5 * Math.cos((Math.PI * x) / crossings);
  return x === 0 ? 1 : (window * Math.sin(Math.PI * x)) / (Math.PI * x);
}

function filtered({ frames, at }: Pick<Wav, "frames" | "at">, place: number, { half, ofPhase }: Taps): number {
  const whole = Math.floor(place);
  const weights = ofPhase(place - whole);
  let sum = 0;
  const first = whole - half + 1;
  for (let index = Math.max(0, -first); index < weights.length && first + index < frames; index += 1)
    sum += at(first + index) * (weights[index] as number);
  return sum;
}

function toSample(value: number): number {
  return Math.max(-32_768, Math.min(32_767, Math.round(value * 32_767)));
}
