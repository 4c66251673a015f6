import { expect, test } from "vitest";
import { readSound } from "./read-sound.ts";

/** A WAV file as the server writes it: μ-law, 8,000 samples a second. */
function wav(samples: number[], { channels = 1, format = 7, extra = 0 } = {}): Uint8Array {
  const file = new Uint8Array(12 + 8 + 16 + (extra === 0 ? 0 : 8 + extra) + 8 + samples.length);
  const view = new DataView(file.buffer);
  const name = (at: number, text: string) => file.set(new TextEncoder().encode(text), at);
  name(0, "RIFF");
  name(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, format, true);
  view.setUint16(22, channels, true);
  view.setUint32(24, 8_000, true);
  let at = 36;
  if (extra > 0) {
    name(at, "LIST");
    view.setUint32(at + 4, extra, true);
    at += 8 + extra;
  }
  name(at, "data");
  view.setUint32(at + 4, samples.length, true);
  file.set(samples, at + 8);
  return file;
}

const [silent, loudest] = [0xff, 0x80];

test("each step of a channel is as high as its loudest sample", () => {
  const sound = readSound(wav([silent, silent, loudest, silent, silent, silent, silent, silent]), 4);
  expect(sound).toEqual({ peaks: [[0, 1, 0, 0]], seconds: 8 / 8_000 });
});

test("either sign of a sample is equally loud", () => {
  const [up, down] = [0xa0, 0x20].map((byte) => readSound(wav([byte]), 1)?.peaks[0]?.[0] ?? 0);
  expect(up).toBeGreaterThan(0);
  expect(up).toBe(down);
});

test("channels are separated, and chunks before the samples are skipped", () => {
  const samples = [silent, loudest, silent, loudest, loudest, silent, silent, silent];
  expect(readSound(wav(samples, { channels: 2, extra: 6 }), 2)?.peaks).toEqual([
    [0, 1],
    [1, 0],
  ]);
});

test.each<[string, Uint8Array]>([
  ["nothing", new Uint8Array()],
  ["no WAV", new Uint8Array(64)],
  ["other samples", wav([1, 2, 3, 4], { format: 1 })],
  ["no channel", wav([1, 2, 3, 4], { channels: 0 })],
  ["a file that ends in its head", wav([1, 2]).slice(0, 40)],
])("nothing is drawn of %s", (_name, bytes) => {
  expect(readSound(bytes, 10)).toBeNull();
});

test("a file shorter than it says is read as far as it goes", () => {
  const file = wav([loudest, loudest]);
  new DataView(file.buffer).setUint32(40, 1_000_000, true);
  expect(readSound(file, 1)).toEqual({ peaks: [[1]], seconds: 2 / 8_000 });
});
