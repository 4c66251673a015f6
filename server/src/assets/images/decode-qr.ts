import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

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

type Binarizer = "LocalAverage" | "GlobalHistogram";
type Read = (pgm: Uint8Array, binarizer?: Binarizer) => Promise<string[]>;
let loaded: Promise<Read> | null = null;

const smallSide = 2000;
const tileSide = 2400;
/** A code wider than this in the large picture was wide enough to be found in the small one. */
const tileOverlap = 600;

/** No more looks are begun after this: most pictures without a code are just that. */
const lookAgainMs = 3000;

/**
 * Distinct texts of the QR codes in a picture. First at 2000 pixels, where nearly every code is found quickly;
 * then at full size, the only way to find a small code in a large photo; then once more for pictures that are hard to read.
 */
export async function decodeQr(looks: Looks): Promise<string[]> {
  loaded ??= loadReader();
  const read = await loaded;
  const small = await looks.grey(smallSide);
  const found = await read(pgmOf(small));
  if (found.length > 0) return found;
  if (Math.max(small.width, small.height) >= smallSide) {
    const inTiles = await readTiles(read, await looks.grey(null));
    if (inTiles.length > 0) return inTiles;
  }
  return lookAgain(read, looks.again(small));
}

async function lookAgain(read: Read, looks: Iterable<SecondLook>): Promise<string[]> {
  const until = performance.now() + lookAgainMs;
  for (const look of looks) {
    if (performance.now() > until) break;
    const found = await read(pgmOf(await look.grey()), look.plain === true ? "GlobalHistogram" : "LocalAverage");
    if (found.length > 0) return found;
  }
  return [];
}

/** Tile by tile, because the decoder's memory grows with what it is shown. */
async function readTiles(read: Read, whole: Grey): Promise<string[]> {
  const texts = new Set<string>();
  for (const tile of tilesOf(whole)) {
    for (const text of await read(pgmOf(whole, tile))) texts.add(text);
  }
  return [...texts];
}

/** The decoder's own file from its package is handed in: left alone, it would fetch one from a public host. */
async function loadReader(): Promise<Read> {
  const { prepareZXingModule, readBarcodes } = await import("zxing-wasm/reader");
  const wasm = await readFile(fileURLToPath(import.meta.resolve("zxing-wasm/reader/zxing_reader.wasm")));
  const wasmBinary = wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength) as ArrayBuffer;
  await prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true });
  return async (pgm, binarizer = "LocalAverage") => {
    const codes = await readBarcodes(pgm, { formats: ["QRCode"], tryHarder: true, maxNumberOfSymbols: 8, binarizer });
    return [...new Set(codes.filter((code) => code.isValid).map((code) => code.text))];
  };
}

interface Tile {
  left: number;
  top: number;
  width: number;
  height: number;
}

function tilesOf(grey: Grey): Tile[] {
  return spans(grey.height).flatMap(([top, height]) => spans(grey.width).map(([left, width]) => ({ left, top, width, height })));
}

/** Overlapping stretches that cover a side, as starts and lengths. */
function spans(side: number): [number, number][] {
  if (side <= tileSide) return [[0, side]];
  const count = Math.ceil((side - tileOverlap) / (tileSide - tileOverlap));
  const step = (side - tileSide) / (count - 1);
  return Array.from({ length: count }, (_, index) => [Math.round(index * step), tileSide]);
}

/** The plainest picture file there is: one byte a pixel, where the decoder's pixel interface would want four. */
function pgmOf(grey: Grey, tile: Tile = { left: 0, top: 0, width: grey.width, height: grey.height }): Uint8Array {
  const header = Buffer.from(`P5 ${tile.width} ${tile.height} 255\n`);
  const file = Buffer.allocUnsafe(header.length + tile.width * tile.height);
  header.copy(file);
  for (let row = 0; row < tile.height; row += 1) {
    const from = (tile.top + row) * grey.width + tile.left;
    file.set(grey.data.subarray(from, from + tile.width), header.length + row * tile.width);
  }
  return file;
}
