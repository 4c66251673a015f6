import { readFileSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import { AppError, wholeBuffersOf } from "#platform/index.ts";
import { parseJson } from "../validation/parse-json.ts";
import { type Lifted, liftContents } from "./lift-contents.ts";
import type { Parsed } from "./parse-apart.ts";

/** The program of the thread that parses large bodies, one after the other; each is passed as the path of its file. */
parentPort?.on("message", (path: string) => {
  try {
    const value = parseJson(readFileSync(path));
    const lifted = liftContents(value);
    answer({ value, lifted }, wholeBuffersOf(bytesIn(lifted)));
  } catch (error) {
    if (!(error instanceof AppError)) return parentPort?.postMessage({ fault: String(error).slice(0, 300) });
    const { param, message } = error.extras;
    answer({
      refused: { code: error.code, extras: { ...(param === undefined ? {} : { param }), ...(message === undefined ? {} : { message }) } },
    });
  }
});

function answer(result: Parsed, handedOver: ArrayBuffer[] = []): void {
  parentPort?.postMessage({ result }, handedOver);
}

function bytesIn(lifted: Lifted): Uint8Array[] {
  return [...lifted.values()].flatMap((one) => (one instanceof Uint8Array ? [one] : one === null ? [] : [one.packed]));
}
