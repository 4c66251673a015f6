import { parentPort } from "node:worker_threads";
import { walkHtml } from "./walk-html.ts";

/** The program of the thread that reads long HTML before it is accepted. */
parentPort?.on("message", (html: string) => parentPort?.postMessage({ result: !walkHtml(html, {}) }));
