import { mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "./eventually.ts";

/**
 * Does work of this name while no other worker of the run does: of several that need the same thing, the first one makes it and the others
 * find it.
 */
export async function inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
  const lock = join(tmpdir(), `tillpost-${name}.lock`);
  await eventually(`it's this worker's turn: ${name}`, () => isMade(lock), { everyMs: 20, withinMs: 240_000 });
  try {
    return await work();
  } finally {
    rmSync(lock, { recursive: true });
  }
}

/** False if the folder is there already. */
function isMade(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}
