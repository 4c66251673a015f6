import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

export interface Look {
  /** Every third row and both directions, which takes time that grows faster than the picture where it is full of marks like those of a code. */
  hard: boolean;
  /** One threshold for the whole picture, where usually each stretch has its own. */
  plain: boolean;
}

type Read = (pgm: Uint8Array, look: Look) => Promise<string[]>;

let loaded: Promise<Read> | null = null;
let turn: Promise<unknown> = Promise.resolve();

/** A limit on the processor time spent on one picture: a look that has begun can't be interrupted, so no further one begins once it is used up. */
export interface Budget {
  leftMs: number;
}

/** Reads one PGM picture and takes what that cost from the budget; nothing is read when the budget is used up. */
export async function readWithin(budget: Budget, pgm: () => Uint8Array, look: Look): Promise<string[]> {
  loaded ??= loadReader();
  const read = await loaded;
  // One after another, so that a picture isn't charged for what another one costs: it is one thread anyway.
  const result = turn.then(() => charge(budget, () => read(pgm(), look)));
  turn = result.catch(() => {});
  return result;
}

async function charge(budget: Budget, work: () => Promise<string[]>): Promise<string[]> {
  if (budget.leftMs <= 0) return [];
  const before = process.threadCpuUsage();
  try {
    return await work();
  } finally {
    const { user, system } = process.threadCpuUsage(before);
    budget.leftMs -= (user + system) / 1000;
  }
}

/** The decoder's own file from its package is handed in: left alone, it would fetch one from a public host. */
async function loadReader(): Promise<Read> {
  const { prepareZXingModule, readBarcodes } = await import("zxing-wasm/reader");
  const wasm = await readFile(fileURLToPath(import.meta.resolve("zxing-wasm/reader/zxing_reader.wasm")));
  const wasmBinary = wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength) as ArrayBuffer;
  await prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true });
  return async (pgm, look) => {
    const binarizer = look.plain ? "GlobalHistogram" : "LocalAverage";
    const codes = await readBarcodes(pgm, { formats: ["QRCode"], tryHarder: look.hard, maxNumberOfSymbols: 8, binarizer });
    return [...new Set(codes.filter((code) => code.isValid).map((code) => code.text))];
  };
}
