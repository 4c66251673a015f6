import { execFile } from "node:child_process";
import { existsSync, mkdirSync, renameSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { inTurn } from "#test/support/time/in-turn.ts";
import { startProgram } from "./program.ts";

/**
 * Creates a data folder as a first start without background work leaves it, stopped in order: with the demo and its key. The first start of
 * a run is made by the first test that needs it and copied from then on, because it takes twice the processor time of a later start. Each
 * copy has the same master key and the same demo.
 */
export async function startedFolder(dataDir: string): Promise<string> {
  const original = join(tmpdir(), "tillpost-started");
  if (!existsSync(original)) await inTurn("started", () => makeOnce(original));
  mkdirSync(dirname(dataDir), { recursive: true });
  // Preserves owners: if root starts it, the database has its own.
  await promisify(execFile)("cp", ["-a", original, dataDir]);
  return dataDir;
}

async function makeOnce(original: string): Promise<void> {
  if (existsSync(original)) return;
  const program = await (await startProgram({ dataDir: `${original}.new`, env: { WORKERS: "off" } })).ready();
  const { code } = await program.stop();
  if (code !== 0) throw new Error(`the first start ended with ${code}:\n${program.output}`);
  renameSync(`${original}.new`, original);
}
