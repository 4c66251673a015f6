import type { Codec } from "../../wire/session-description.ts";

/** Samples in 20 ms at 8 000 Hz. */
export const frameSamples = 160;
export const frameMs = 20;

// The calls room has these tables too, for whole files; the calling thread loads no room.
const bias = 0x84;
const clip = 32_635;

function linearToMu(sample: number): number {
  const sign = sample < 0 ? 0x80 : 0;
  const magnitude = Math.min(Math.abs(sample), clip) + bias;
  const exponent = Math.max(0, 31 - Math.clz32(magnitude) - 7);
  return ~(sign | (exponent << 4) | ((magnitude >> (exponent + 3)) & 0x0f)) & 0xff;
}

function muToLinear(byte: number): number {
  const value = ~byte & 0xff;
  const magnitude = (((value & 0x0f) << 3) + bias) << ((value >> 4) & 0x07);
  return value & 0x80 ? bias - magnitude : magnitude - bias;
}

function linearToA(sample: number): number {
  const sign = sample >= 0 ? 0x80 : 0;
  // 13 bits without sign: the lowest segment has steps as wide as the second.
  const magnitude = Math.min(sample >= 0 ? sample : -sample - 1, 32_767) >> 3;
  const exponent = Math.max(0, 31 - Math.clz32(magnitude | 1) - 4);
  const mantissa = (exponent < 2 ? magnitude >> 1 : magnitude >> exponent) & 0x0f;
  const segment = exponent < 1 ? 0 : exponent;
  return (sign | (segment << 4) | mantissa) ^ 0x55;
}

function aToLinear(byte: number): number {
  const value = byte ^ 0x55;
  const exponent = (value >> 4) & 0x07;
  const mantissa = ((value & 0x0f) << 4) + 8;
  const magnitude = exponent === 0 ? mantissa : (mantissa + 0x100) << (exponent - 1);
  return value & 0x80 ? magnitude : -magnitude;
}

/** One table of 65 536 bytes per codec, so that encoding a sample is one look-up. */
function tablesOf(encodeSample: (sample: number) => number, decodeByte: (byte: number) => number) {
  const encode = new Uint8Array(65_536);
  for (let value = 0; value < 65_536; value += 1) encode[value] = encodeSample((value << 16) >> 16);
  return { encode, decode: Int16Array.from({ length: 256 }, (_, byte) => decodeByte(byte)) };
}

const tables = { PCMU: tablesOf(linearToMu, muToLinear), PCMA: tablesOf(linearToA, aToLinear) };

export const silence: Readonly<Record<Codec, number>> = { PCMU: 0xff, PCMA: 0xd5 };

/** Writes samples as one byte each to `into` at `offset`. */
export function encodeG711(codec: Codec, samples: Int16Array, into: { bytes: Uint8Array; offset: number }): void {
  const { encode } = tables[codec];
  const { bytes, offset } = into;
  for (let at = 0; at < samples.length; at += 1) bytes[offset + at] = encode[(samples[at] ?? 0) & 0xffff] ?? 0;
}

export function decodeG711(codec: Codec, bytes: Uint8Array): Int16Array {
  const { decode } = tables[codec];
  const samples = new Int16Array(bytes.length);
  for (let at = 0; at < bytes.length; at += 1) samples[at] = decode[bytes[at] ?? 0] ?? 0;
  return samples;
}
