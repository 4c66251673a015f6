import { parentPort } from "node:worker_threads";
import { readReport } from "./read-report.ts";

/** Runs in the thread that reads returned email, one at a time. */
parentPort?.on("message", ({ buffer, byteOffset, byteLength }: Uint8Array) => {
  readReport(Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength)).then(
    (result) => parentPort?.postMessage({ result }),
    (error: unknown) => parentPort?.postMessage({ fault: String(error).slice(0, 300) }),
  );
});
