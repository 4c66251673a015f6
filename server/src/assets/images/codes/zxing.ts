import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

export interface Look {
  /** Reads every third row in both directions. The time grows faster than the picture if that is full of marks that look like a code's. */
  hard: boolean;
  /** One threshold for the whole picture instead of one per region. */
  plain: boolean;
}

type Read = (pgm: Uint8Array, look: Look) => Promise<string[]>;

let loaded: Promise<Read> | null = null;
let turn: Promise<unknown> = Promise.resolve();

/**
 * A limit on the processor time for one picture. An attempt can't be interrupted once it runs, so no further one starts after the limit.
 */
export interface Budget {
  leftMs: number;
}

/** Reads one PGM picture and subtracts its time from the budget; reads nothing if the budget is used up. */
export async function readWithin(budget: Budget, pgm: () => Uint8Array, look: Look): Promise<string[]> {
  loaded ??= loadReader();
  const read = await loaded;
  // One after another, so that a picture isn't charged for another one's time: there is only one thread anyway.
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

/** Passes in the decoder's own file from its package; otherwise it would fetch one from a public host. */
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
