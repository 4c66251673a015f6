import { parentPort } from "node:worker_threads";
import { type AnyText, longTextMin, longTextOf, wholeBuffersOf } from "#platform/index.ts";
import type { EmailBody, SendBody } from "./shapes.ts";

/** Runs in the thread that reads long stored texts. */
parentPort?.on("message", (stored: string) => {
  const body = JSON.parse(stored) as EmailBody;
  const result: SendBody = { ...body, html: lifted(body.html), text: lifted(body.text) };
  const long = [result.html, result.text].flatMap((one) => (one === null || typeof one === "string" ? [] : [one.packed]));
  parentPort?.postMessage({ result }, wholeBuffersOf(long));
});

function lifted(text: string | null): AnyText | null {
  return text === null || text.length < longTextMin ? text : longTextOf(text);
}
