import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { howToRun } from "../installed/how-to-run.ts";
import { type Place, readyFolder } from "./postgres-place.ts";

/** The PostgreSQL major that wrote a database folder. */
export function majorOfData(data: string): number {
  return Number(readFileSync(join(data, "PG_VERSION"), "utf8"));
}

/** The major of PostgreSQL programs installed by a distribution, as they report it. */
export async function majorOfPrograms(binaries: string): Promise<number> {
  const postgres = join(binaries, "bin", "postgres");
  const { stdout } = await promisify(execFile)(postgres, ["--version"]).catch((error: Error) => {
    throw new Error(`${postgres} doesn't run on this machine: ${error.message.trim()}`);
  });
  const major = /\(PostgreSQL\) (\d+)/.exec(stdout)?.[1];
  if (major === undefined) throw new Error(`${postgres} isn't PostgreSQL: with --version, it prints ${JSON.stringify(stdout.trim())}.`);
  return Number(major);
}

/** The major of the programs in npm's package, read without running them: every start needs it, and their links may not exist yet. */
export function majorBrought(binaries: string): number {
  return Number(/PostgreSQL (\d+)/.exec(readFileSync(bootstrapFile(binaries), "utf8").slice(0, 40))?.[1]);
}

/** Whether a folder has the layout of npm's package; a distribution has these files elsewhere. */
export function isBrought(binaries: string): boolean {
  return existsSync(bootstrapFile(binaries));
}

const bootstrapFile = (binaries: string) => join(binaries, "share", "postgresql", "postgres.bki");

/**
 * Throws a readable error if there is no database because an upgrade was cut off between its two last renames: a start would create an
 * empty one.
 */
export function refuseHalfUpgraded(place: Place): void {
  if (!existsSync(readyFolder(place))) return;
  throw new Error(
    `An upgrade of the database in ${dirname(place.data)} was interrupted at its last step. Nothing is lost. Finish it with the version that started it: \`${howToRun("upgrade-database")}\`.`,
  );
}

/** Throws a readable error if another major wrote the database. */
export function requireMajor({ data, binaries }: Place): void {
  const [written, own] = [majorOfData(data), majorBrought(binaries)];
  if (written === own) return;
  const folder = dirname(data);
  if (written > own) {
    throw new Error(
      `The database in ${folder} was written by PostgreSQL ${written}, but this version of Tillpost includes ${own}. Start the version that wrote it. If you upgraded and want to go back, see postgres-${own}-kept.txt in that folder.`,
    );
  }
  throw new Error(
    `The database in ${folder} was written by PostgreSQL ${written}, but this version of Tillpost includes ${own}. Upgrade it: \`${howToRun("upgrade-database")}\`. This copies and compares everything, and keeps the old folder. Until then, the previous version still runs on it.`,
  );
}
