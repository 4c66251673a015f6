import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { foldersElsewhere, processesIn } from "#test/support/programs/processes.ts";

/** A program: once its standard input closes, ends every process that works in a test run's folder and deletes the folder. */
const [, , folder = "", patience = "5000"] = process.argv;
if (!folder.includes("tillpost-run-")) throw new Error(`${JSON.stringify(folder)} is no test run's folder`);
// Ctrl-C reaches it too, and its work comes after that.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});

/** In order first: a server ends its database, and a database what it shares with others. */
const steps = [
  { signal: "SIGTERM", timeoutMs: Number(patience) },
  { signal: "SIGQUIT", timeoutMs: Number(patience) / 2 },
  { signal: "SIGKILL", timeoutMs: 5_000 },
] as const;

process.stdin.resume().once("close", async () => {
  const folders = [folder, ...foldersElsewhere(folder)];
  for (const { signal, timeoutMs } of steps) {
    const signaled = new Set<number>();
    for (const end = performance.now() + timeoutMs; performance.now() < end; await sleep(20)) {
      const left = processesIn(...folders);
      if (left.length === 0) break;
      for (const { pid } of left) if (!signaled.has(pid)) send(pid, signal);
      for (const { pid } of left) signaled.add(pid);
    }
  }
  for (const one of folders) rmSync(one, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  process.exit(0);
});

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has already ended.
  }
}
