const bias = 0x84;
const clip = 32_635;

/** One 16-bit sample as μ-law (G.711). */
function mulawOf(sample: number): number {
  const sign = sample < 0 ? 0x80 : 0;
  const magnitude = Math.min(Math.abs(sample), clip) + bias;
  // The position of the highest bit above the seventh.
  const exponent = 24 - Math.clz32(magnitude);
  const mantissa = (magnitude >> (exponent + 3)) & 0x0f;
  return ~(sign | (exponent << 4) | mantissa) & 0xff;
}

/** 16-bit samples of μ-law bytes, indexed by byte. */
export const mulawSamples: Int16Array = Int16Array.from({ length: 256 }, (_none, byte) => {
  const code = ~byte & 0xff;
  const magnitude = ((((code & 0x0f) << 3) + bias) << ((code & 0x70) >> 4)) - bias;
  return code & 0x80 ? -magnitude : magnitude;
});

/** 16-bit samples of A-law bytes, indexed by byte. */
export const alawSamples: Int16Array = Int16Array.from({ length: 256 }, (_none, byte) => {
  const code = byte ^ 0x55;
  const exponent = (code & 0x70) >> 4;
  const mantissa = (code & 0x0f) << 4;
  const magnitude = exponent === 0 ? mantissa + 8 : (mantissa + 0x108) << (exponent - 1);
  return code & 0x80 ? magnitude : -magnitude;
});

/** 16-bit little-endian samples as μ-law. */
export function encodeMulaw(pcm: Buffer): Buffer {
  const encoded = Buffer.allocUnsafe(pcm.length >> 1);
  for (let at = 0; at < encoded.length; at += 1) encoded[at] = mulawOf(pcm.readInt16LE(at * 2));
  return encoded;
}
