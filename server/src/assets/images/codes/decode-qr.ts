import { type Budget, readWithin } from "./zxing.ts";

/** One byte a pixel. */
export interface Grey {
  data: Uint8Array;
  width: number;
  height: number;
}

/** How a code is looked for in one picture. */
export interface Looks {
  /** The picture as it is kept, shrunk to `side` unless null. */
  grey(side: number | null): Promise<Grey>;
  /** The same at other sizes and contrasts, and the picture as it came: tried one after another while nothing is found. */
  again(small: Grey): Iterable<SecondLook>;
}

export interface SecondLook {
  grey(): Promise<Grey>;
  /** One threshold for the whole picture, where usually each stretch has its own. */
  plain?: boolean;
}

const smallSide = 1600;

/**
 * The largest stretches shown to the decoder at once. A call can't be interrupted, and its time grows faster than what it is shown where that is
 * full of marks like those of a code: at these sizes, the worst grids of such marks take half a second. A code wider than the overlap in the picture
 * at full size is wide enough to be found in the small one.
 */
const tiles = { easy: { side: 1600, overlap: 600 }, hard: { side: 700, overlap: 300 } };

/** Processor time of the decoder for one picture; a blank one of the largest size takes 0.9 s with everything else that its thread does. */
const budgetMs = 1500;

/**
 * Distinct texts of the QR codes in a picture. First at 1600 pixels, where nearly every code is found quickly; then at full size, the only way to
 * find a small code in a large photo; then again in other ways, for pictures that are hard to read. Ends when the picture's processor time is used up.
 */
export async function decodeQr(looks: Looks): Promise<string[]> {
  const budget = { leftMs: budgetMs };
  const small = await looks.grey(smallSide);
  const found = await read(budget, small);
  if (found.length > 0) return found;
  if (Math.max(small.width, small.height) >= smallSide && budget.leftMs > 0) {
    const inWhole = await read(budget, await looks.grey(null));
    if (inWhole.length > 0) return inWhole;
  }
  return lookAgain(budget, looks.again(small));
}

async function lookAgain(budget: Budget, looks: Iterable<SecondLook>): Promise<string[]> {
  for (const look of looks) {
    if (budget.leftMs <= 0) break;
    const found = await read(budget, await look.grey(), look.plain);
    if (found.length > 0) return found;
  }
  return [];
}

/** Quickly in large tiles, then with more effort in small ones. Both are always done: where there are two codes, the quick look may see only one. */
async function read(budget: Budget, grey: Grey, plain = false): Promise<string[]> {
  const texts = new Set<string>();
  for (const hard of [false, true]) {
    for (const tile of tilesOf(grey, hard ? tiles.hard : tiles.easy)) {
      for (const text of await readWithin(budget, () => pgmOf(grey, tile), { hard, plain })) texts.add(text);
    }
  }
  return [...texts];
}

interface Tile {
  left: number;
  top: number;
  width: number;
  height: number;
}

interface TileSize {
  side: number;
  overlap: number;
}

function tilesOf(grey: Grey, size: TileSize): Tile[] {
  return spans(grey.height, size).flatMap(([top, height]) => spans(grey.width, size).map(([left, width]) => ({ left, top, width, height })));
}

/** Overlapping stretches that cover a length, as starts and lengths. */
function spans(length: number, { side, overlap }: TileSize): [number, number][] {
  if (length <= side) return [[0, length]];
  const count = Math.ceil((length - overlap) / (side - overlap));
  const step = (length - side) / (count - 1);
  return Array.from({ length: count }, (_, index) => [Math.round(index * step), side]);
}

/** The plainest picture file there is: one byte a pixel, where the decoder's pixel interface would want four. */
function pgmOf(grey: Grey, tile: Tile): Uint8Array {
  const header = Buffer.from(`P5 ${tile.width} ${tile.height} 255\n`);
  const file = Buffer.allocUnsafe(header.length + tile.width * tile.height);
  header.copy(file);
  for (let row = 0; row < tile.height; row += 1) {
    const from = (tile.top + row) * grey.width + tile.left;
    file.set(grey.data.subarray(from, from + tile.width), header.length + row * tile.width);
  }
  return file;
}
