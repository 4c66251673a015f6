import { type Budget, readWithin } from "./zxing.ts";

/** One byte per pixel. */
export interface Grey {
  data: Uint8Array;
  width: number;
  height: number;
}

/** The versions of a picture in which a code is searched. */
export interface Looks {
  /** The picture as it is stored, shrunk to `side` unless null. */
  grey(side: number | null): Promise<Grey>;
  /** The same with other sizes and contrasts, and the original picture: tried one after another while nothing is found. */
  again(small: Grey): Iterable<SecondLook>;
}

export interface SecondLook {
  grey(): Promise<Grey>;
  /** One threshold for the whole picture instead of one per region. */
  plain?: boolean;
}

const smallSide = 1600;

/**
 * The largest tiles for one decoder call. A call can't be interrupted, and its time grows faster than the tile if that is full of marks
 * that look like a code's: at these sizes, the worst grids of such marks take half a second. A code that is wider than the overlap at full
 * size is wide enough to be found in the small picture.
 */
const tiles = { easy: { side: 1600, overlap: 600 }, hard: { side: 700, overlap: 300 } };

/**
 * Milliseconds of the decoder's processor time for one picture. A blank one of the largest size takes 0.9 s with everything else that its
 * thread does.
 */
const budgetMs = 1500;

/**
 * Distinct texts of the QR codes in a picture. First at 1600 pixels, which finds nearly every code quickly; then at full size, the only way
 * to find a small code in a large photo; then in other ways, for pictures that are hard to read. Ends when the picture's processor time is
 * used up.
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

/**
 * Quickly in large tiles, then with more effort in small ones. Both always run: if there are two codes, the quick pass may only see one.
 */
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
  return spans(grey.height, size).flatMap(([top, height]) =>
    spans(grey.width, size).map(([left, width]) => ({ left, top, width, height })),
  );
}

/** Overlapping spans that cover a length, as starts and lengths. */
function spans(length: number, { side, overlap }: TileSize): [number, number][] {
  if (length <= side) return [[0, length]];
  const count = Math.ceil((length - overlap) / (side - overlap));
  const step = (length - side) / (count - 1);
  return Array.from({ length: count }, (_, index) => [Math.round(index * step), side]);
}

/** The simplest picture format: one byte per pixel, while the decoder's pixel interface would need four. */
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
