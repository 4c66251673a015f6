import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Program, startProgram, temporaryFolder } from "#test/support/programs/program.ts";
import { serverFlags } from "./run-served.ts";

export interface Started {
  /** From the start of the program to its first line that says it serves, on existing data. */
  tookMs: number;
  /** Memory of the server's own process after some idle time. */
  idleMb: number;
}

const idleMs = 10_000;

/** The whole program, started a second time on the same folder. */
export async function measureStart(): Promise<Started> {
  const folder = temporaryFolder();
  const dataDir = join(folder.path, "data");
  try {
    const options = { dataDir, env: { NODE_OPTIONS: serverFlags.join(" ") } };
    await (await (await startProgram(options)).ready()).stop();
    const from = performance.now();
    const program = await (await startProgram(options)).ready();
    const tookMs = Math.round(performance.now() - from);
    await sleep(idleMs);
    const idleMb = residentMb(program);
    await program.stop();
    return { tookMs, idleMb };
  } finally {
    folder.remove();
  }
}

function residentMb({ pid }: Program): number {
  return Math.round(Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" })) / 1024);
}
