import { expect, it } from "vitest";
import { createThread, JobOverLimit } from "./create-thread.ts";

it("lets a thread without processor time wait for as long as it may, however often it doesn't say how much it has used", async () => {
  const waits = `if (isReady) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); isReady = true; parentPort.postMessage({ result: null });`;
  const code = `import { parentPort } from "node:worker_threads"; let isReady = false; parentPort.on("message", () => { ${waits} });`;
  const program = new URL(`data:text/javascript,${encodeURIComponent(code)}`);
  const thread = createThread<null, null>({ program, does: "waits", limitMs: 100, timeoutMs: 4_000 });
  await thread(null);
  const began = performance.now();
  const fault = await thread(null).catch((error: unknown) => error);
  expect(fault).toMatchObject({ message: "the thread that waits waited for too long" });
  expect(fault).not.toBeInstanceOf(JobOverLimit);
  expect(performance.now() - began).toBeGreaterThan(3_900);
});
