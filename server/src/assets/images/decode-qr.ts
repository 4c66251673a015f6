import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

interface Grey {
  data: Uint8Array;
  width: number;
  height: number;
}

type Read = (pgm: Uint8Array) => Promise<string[]>;
let loaded: Promise<Read> | null = null;

const smallSide = 2000;
const tileSide = 2400;
/** A code wider than this in the large picture was wide enough to be found in the small one. */
const tileOverlap = 600;

/**
 * Distinct texts of the QR codes in a picture. First at 2000 pixels, where nearly every code is found quickly;
 * then at full size, the only way to find a small code in a large photo: tile by tile, because the decoder's memory grows with what it is shown.
 */
export async function decodeQr(greyOf: (side: number | null) => Promise<Grey>): Promise<string[]> {
  loaded ??= loadReader();
  const read = await loaded;
  const small = await greyOf(smallSide);
  const found = await read(pgmOf(small, { left: 0, top: 0, width: small.width, height: small.height }));
  if (found.length > 0 || Math.max(small.width, small.height) < smallSide) return found;
  const whole = await greyOf(null);
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
  return async (pgm) => {
    const codes = await readBarcodes(pgm, { formats: ["QRCode"], tryHarder: true, maxNumberOfSymbols: 8 });
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
