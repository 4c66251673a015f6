import { frameSamples } from "../codec/g711.ts";

const rate = 8_000;
const rows = [697, 770, 852, 941] as const;
const columns = [1_209, 1_336, 1_477, 1_633] as const;
/** The keypad, row by row. */
const keypad = "123A456B789C*0#D";
const amplitude = 8_000;

/** One frame of a digit's two tones; `offset` is how many of its samples were sent before. */
export function toneFrame(digit: string, offset: number): Int16Array {
  const at = keypad.indexOf(digit);
  const row = rows[at >> 2] ?? 0;
  const column = columns[at & 3] ?? 0;
  return Int16Array.from({ length: frameSamples }, (_, index) => {
    const time = (2 * Math.PI * (offset + index)) / rate;
    return Math.round(amplitude * (Math.sin(row * time) + Math.sin(column * time)));
  });
}

const block = 205;
const frequencies = [...rows, ...columns];
const coefficients = frequencies.map((frequency) => 2 * Math.cos((2 * Math.PI * frequency) / rate));
const leastEnergy = 3e5;
/** The two tones have most of the energy; similar-sounding speech spreads over more frequencies. */
const leastShare = 0.7;
const leastLead = 6;
const maxTwist = 8;
/** How long a digit must be heard, and be absent before the same digit counts again. */
const blocksOn = 2;
const blocksOff = 2;

/** Detects digits that are sent as audio (Goertzel, 25 ms per block). */
export class ToneDetector {
  private readonly window = new Float64Array(block);
  private filled = 0;
  private detected: string | null = null;
  private times = 0;
  private current: string | null = null;
  private away = 0;

  /** Returns the digits that this frame confirms. */
  take(frame: Int16Array): string[] {
    const digits: string[] = [];
    let taken = 0;
    while (taken < frame.length) {
      const part = frame.subarray(taken, taken + block - this.filled);
      this.window.set(part, this.filled);
      this.filled += part.length;
      taken += part.length;
      if (this.filled < block) break;
      this.filled = 0;
      const digit = this.confirmed(digitIn(this.window));
      if (digit !== null) digits.push(digit);
    }
    return digits;
  }

  private confirmed(digit: string | null): string | null {
    this.times = digit === this.detected ? this.times + 1 : 1;
    this.detected = digit;
    if (digit !== this.current) this.away += 1;
    else this.away = 0;
    if (this.current !== null && this.away >= blocksOff) this.current = null;
    if (digit === null || digit === this.current || this.times !== blocksOn) return null;
    this.current = digit;
    this.away = 0;
    return digit;
  }
}

function digitIn(window: Float64Array): string | null {
  let total = 0;
  for (const sample of window) total += sample * sample;
  if (total / block < leastEnergy / 10) return null;
  const powers = coefficients.map((coefficient) => power(window, coefficient));
  const row = strongest(powers.slice(0, 4));
  const column = strongest(powers.slice(4));
  const twist = row.power > column.power ? row.power / column.power : column.power / row.power;
  const share = (2 * (row.power + column.power)) / (block * total);
  const isClear = row.power > leastLead * row.next && column.power > leastLead * column.next;
  return isClear && twist < maxTwist && share > leastShare ? (keypad[row.at * 4 + column.at] ?? null) : null;
}

function power(window: Float64Array, coefficient: number): number {
  let one = 0;
  let two = 0;
  for (const sample of window) {
    const next = sample + coefficient * one - two;
    two = one;
    one = next;
  }
  return one * one + two * two - coefficient * one * two;
}

function strongest(powers: number[]): { at: number; power: number; next: number } {
  const sorted = [...powers].sort((one, other) => other - one);
  return { at: powers.indexOf(sorted[0] ?? 0), power: sorted[0] ?? 0, next: sorted[1] ?? 0 };
}
