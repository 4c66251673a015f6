import { execFile } from "node:child_process";
import { getCompileCacheDir } from "node:module";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { createThread, JobOverLimit } from "./create-thread.ts";

const run = promisify(execFile);
const programOf = (code: string) => new URL(`data:text/javascript,${encodeURIComponent(code)}`);

it.each([
  [0, 10],
  [15, 15],
])("starts in a process of priority %i at %i: a lower priority can't be raised", async (own, expected) => {
  const program = programOf(
    `import { getPriority } from "node:os"; import { parentPort } from "node:worker_threads"; parentPort.on("message", () => parentPort.postMessage({ result: getPriority() }));`,
  );
  const here = new URL("./create-thread.ts", import.meta.url).href;
  // In its own process: an ordinary user can't raise a priority again.
  const code = `
    import { getPriority, setPriority } from "node:os";
    import { createThread } from ${JSON.stringify(here)};
    setPriority(Math.max(getPriority(), ${own}));
    const own = getPriority();
    const thread = createThread({ program: new URL(${JSON.stringify(program.href)}), does: "tells its priority" });
    console.log(JSON.stringify([own, await thread(null)]));
    process.exit(0);`;
  const { stdout } = await run(process.execPath, ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", code]);
  const [had, found] = JSON.parse(stdout) as [number, number];
  expect(found).toBe(Math.max(had, expected));
});

it("has none of the process's environment, except where compiled sources are kept, and keeps them there", async () => {
  const program = programOf(
    `import { getCompileCacheDir } from "node:module"; import { parentPort } from "node:worker_threads"; parentPort.on("message", () => parentPort.postMessage({ result: [Object.keys(process["env"]), getCompileCacheDir()] }));`,
  );
  const thread = createThread<null, [string[], string | undefined]>({ program, does: "tells its environment" });
  const folder = getCompileCacheDir();
  expect(await thread(null)).toEqual([folder === undefined ? [] : ["NODE_COMPILE_CACHE"], folder]);
});

it("ends a job that runs too long", async () => {
  const thread = createThread<null, null>({
    program: programOf(`import { parentPort } from "node:worker_threads"; parentPort.on("message", () => { for (;;); });`),
    does: "counts",
    limitMs: 50,
  });
  await expect(thread(null)).rejects.toThrow(JobOverLimit);
});

it("reports that a thread without processor time waited, not that its job is too large", async () => {
  const program = programOf(
    `import { parentPort } from "node:worker_threads"; parentPort.on("message", () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));`,
  );
  // Its start takes a tenth of that; a thread that hasn't started by then has waited as well.
  const thread = createThread<null, null>({ program, does: "waits", limitMs: 1_000, timeoutMs: 1_000 });
  const fault = await thread(null).catch((error: unknown) => error);
  expect(fault).toMatchObject({ message: "the thread that waits waited for too long" });
  expect(fault).not.toBeInstanceOf(JobOverLimit);
});
