import { readFileSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import { AppError } from "#platform/index.ts";
import { parseJson } from "../../validation/parse-json.ts";
import { type Lifted, liftContents } from "./lift-contents.ts";
import type { Parsed } from "./parse-apart.ts";

/** The program of the thread that parses large bodies, one after the other; each comes as the path of its file. */
parentPort?.on("message", (path: string) => {
  try {
    const value = parseJson(readFileSync(path));
    const lifted = liftContents(value);
    answer({ value, lifted }, buffersOf(lifted));
  } catch (error) {
    if (!(error instanceof AppError)) return parentPort?.postMessage({ fault: String(error).slice(0, 300) });
    const { param, message } = error.extras;
    answer({ refused: { code: error.code, extras: { ...(param === undefined ? {} : { param }), ...(message === undefined ? {} : { message }) } } });
  }
});

function answer(result: Parsed, handedOver: ArrayBuffer[] = []): void {
  parentPort?.postMessage({ result }, handedOver);
}

/** Memory that holds one content and nothing else goes over as it is; the rest is copied. */
function buffersOf(lifted: Lifted): ArrayBuffer[] {
  return [...lifted.values()]
    .filter((bytes) => bytes !== null)
    .filter(({ buffer, byteLength }) => byteLength === buffer.byteLength)
    .map(({ buffer }) => buffer as ArrayBuffer);
}
