import { decodeQr, type Grey } from "#assets/images/codes/decode-qr.ts";

const finder = ["1111111", "1000001", "1011101", "1011101", "1011101", "1000001", "1111111"];

type IsDark = (x: number, y: number, side: number) => boolean;

/** Finder patterns with modules of one pixel, `pitch` pixels apart, each row shifted against the last. */
const finders =
  (pitch: number, shift = 0): IsDark =>
  (x, y) =>
    finder[y % pitch]?.[(x + Math.floor(y / pitch) * shift) % pitch] === "1";

/** Unordered, and the same in every run. */
const scattered = (x: number, y: number) => ((Math.imul(x + 1, 0x9e3779b1) ^ Math.imul(y + 1, 0x85ebca6b)) >>> 13) % 2 === 0;

/** Pictures full of what a decoder takes for parts of a code. */
export const hostileGreys: Record<string, IsDark> = {
  "finders that overlap": finders(6),
  "finders 8 pixels apart": finders(8),
  "finders 8 pixels apart, shifted": finders(8, 2),
  "finders 9 pixels apart": finders(9),
  "finders 14 pixels apart": finders(14),
  noise: scattered,
  stripes: (x) => "10111010"[x % 8] === "1",
  rings: (x, y, side) => (Math.hypot(x - side / 2, y - side / 2) / 3) % 2 < 1,
  "lines as of text": (x, y) => y % 14 < 9 && x % 7 < 5 && scattered(x >> 1, y >> 1),
};

export function drawGrey(isDark: IsDark, side: number): Grey {
  const data = new Uint8Array(side * side);
  for (let y = 0; y < side; y += 1) {
    for (let x = 0; x < side; x += 1) data[y * side + x] = isDark(x, y, side) ? 0 : 255;
  }
  return { data, width: side, height: side };
}

/**
 * Processor time of searching a picture for a code, in milliseconds; with `again`, also in the repeated searches, which here see the same.
 */
export async function decoderMs(grey: Grey, again: number): Promise<number> {
  const before = process.threadCpuUsage();
  await decodeQr({ grey: async () => grey, again: (small) => Array.from({ length: again }, () => ({ grey: async () => small })) });
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
