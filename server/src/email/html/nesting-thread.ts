import { parentPort } from "node:worker_threads";
import { type AnyText, stringOf } from "#platform/index.ts";
import { walkHtml } from "./walk-html.ts";

/** Runs in the thread that reads long HTML before it is accepted. */
parentPort?.on("message", (html: AnyText) => {
  parentPort?.postMessage({ result: !walkHtml(stringOf(html), {}) });
});
