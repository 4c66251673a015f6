import { parentPort } from "node:worker_threads";
import type { ComposeJob } from "./compose-apart.ts";
import { composeJob } from "./compose-job.ts";

/** Runs in the threads that compose messages, one at a time. */
parentPort?.on("message", (job: ComposeJob) => {
  composeJob(job).then(
    (result) => answer({ result }, result !== null && result.byteLength === result.buffer.byteLength ? [result.buffer as ArrayBuffer] : []),
    (error: unknown) => answer({ fault: String(error).slice(0, 300) }),
  );
});

function answer(message: object, handedOver: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, handedOver);
}
