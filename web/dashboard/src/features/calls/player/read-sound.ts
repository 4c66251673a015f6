/** What is drawn of a recording: the loudness of each channel, in equal steps, from 0 to 1. */
export interface Sound {
  peaks: number[][];
  seconds: number;
}

const muLaw = 7;

/**
 * Reads a WAV file of μ-law samples for drawing: the loudest sample of each of `steps` spans. Byte by byte, because an hour of samples as
 * numbers wouldn't fit a phone's memory. null for a file of another kind.
 */
export function readSound(bytes: Uint8Array, steps: number): Sound | null {
  const file = findChunks(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  if (file === null || file.format !== muLaw || file.rate === 0 || file.channels < 1) return null;
  const { channels, rate, start, end } = file;
  const frames = Math.floor((end - start) / channels);
  const peaks = Array.from({ length: channels }, () => new Array<number>(steps).fill(0));
  for (let step = 0; step < steps; step += 1) {
    const [from, to] = [Math.floor((step * frames) / steps), Math.floor(((step + 1) * frames) / steps)];
    for (let frame = from; frame < to; frame += 1)
      for (const [channel, own] of peaks.entries()) {
        const loud = loudness[bytes[start + frame * channels + channel] ?? 0] ?? 0;
        if (loud > (own[step] ?? 0)) own[step] = loud;
      }
  }
  return { peaks, seconds: frames / rate };
}

/** The amplitude of each μ-law byte, from 0 to 1 (ITU-T G.711). */
const loudness = Float32Array.from({ length: 256 }, (_none, byte) => {
  const code = ~byte & 0x7f;
  return ((((code & 0x0f) << 3) + 0x84) * 2 ** (code >> 4) - 0x84) / 32_124;
});

interface Chunks {
  format: number;
  channels: number;
  rate: number;
  start: number;
  end: number;
}

function findChunks(view: DataView): Chunks | null {
  if (view.byteLength < 12 || nameAt(view, 0) !== "RIFF" || nameAt(view, 8) !== "WAVE") return null;
  let head: Pick<Chunks, "format" | "channels" | "rate"> | null = null;
  for (let at = 12; at + 8 <= view.byteLength; ) {
    const [name, size] = [nameAt(view, at), view.getUint32(at + 4, true)];
    const start = at + 8;
    if (name === "fmt " && start + 16 <= view.byteLength)
      head = { format: view.getUint16(start, true), channels: view.getUint16(start + 2, true), rate: view.getUint32(start + 4, true) };
    if (name === "data") return head === null ? null : { ...head, start, end: Math.min(start + size, view.byteLength) };
    at = start + size + (size % 2);
  }
  return null;
}

function nameAt(view: DataView, at: number): string {
  return String.fromCharCode(...[0, 1, 2, 3].map((offset) => view.getUint8(at + offset)));
}
