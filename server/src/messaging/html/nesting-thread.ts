import { parentPort } from "node:worker_threads";
import { walkHtml } from "./walk-html.ts";

/** The program of the thread that reads long HTML before it is accepted: a string, or the bytes of its JSON. */
parentPort?.on("message", (given: string | Uint8Array) => {
  const html = typeof given === "string" ? given : (JSON.parse(new TextDecoder().decode(given)) as string);
  parentPort?.postMessage({ result: !walkHtml(html, {}) });
});
