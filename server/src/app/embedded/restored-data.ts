import { chownSync, existsSync } from "node:fs";
import { readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { DataFolder } from "./data-folder.ts";
import { beginData, finishData } from "./new-data.ts";
import { installedPackage } from "./postgres-binaries.ts";
import { findPlace } from "./postgres-place.ts";
import type { OsUser } from "./postgres-user.ts";
import { findOrphan, startPostmaster, stopPostmaster } from "./postmaster.ts";

/** Where a copy of a database is put. */
export interface RestoredData {
  /** An empty folder for its files. */
  half: string;
  /** Their owner, if it is another user. */
  owner: OsUser | null;
  finish(): Promise<void>;
}

const mark = "restore.unfinished";
/** What may lie in a folder that a backup is restored into. */
const harmless = new Set(["lock", "lock-journal", "running.json", "master-keys", mark, `${mark}.new`]);

/** The major version of PostgreSQL that this program brings. */
export function embeddedMajor(): number {
  return Number.parseInt(installedPackage().version, 10);
}

/** Throws a sentence where a restore into the folder was cut off. */
export function requireRestored({ path, read }: Pick<DataFolder, "path" | "read">): void {
  const from = read(mark);
  if (from === null) return;
  throw new Error(`${path} was being restored from ${from.trim()}, and that was cut off. Run the same \`restore\` again; it begins anew.`);
}

/** Marks an empty folder as one that is being restored, and clears away what an earlier restore left there. Throws a sentence where it holds anything else. */
export async function beginRestore(dataFolder: DataFolder, from: string): Promise<void> {
  if (dataFolder.read(mark) === null) {
    const other = (await readdir(dataFolder.path)).find((name) => !harmless.has(name));
    if (other !== undefined)
      throw new Error(`${dataFolder.path} is not empty (${other}). A backup is restored into an empty folder: name another one with --into.`);
  }
  await dataFolder.write(mark, `${from}\n`);
  await discardData(dataFolder);
}

/** Removes a database and all that belongs to it, ending it before where it still runs. What a restore may find in its folder stays. */
export async function discardData(dataFolder: DataFolder): Promise<void> {
  const place = dataFolder.read("postgres.json");
  const elsewhere = place === null ? null : (JSON.parse(place) as { folder: string | null }).folder;
  const data = join(elsewhere ?? dataFolder.path, "postgres");
  const running = findOrphan(data);
  if (running !== null) await stopPostmaster(running, data);
  if (elsewhere !== null) await rm(elsewhere, { recursive: true, force: true });
  for (const name of await readdir(dataFolder.path)) if (!harmless.has(name)) await rm(join(dataFolder.path, name), { recursive: true, force: true });
}

/** Makes room for the files of a database that knows its superuser by this password. */
export async function beginRestoredData(dataFolder: DataFolder, password: string): Promise<RestoredData> {
  const place = await findPlace(dataFolder, password);
  if (existsSync(place.data)) throw new Error(`There is a database in ${place.data} already.`);
  const half = await beginData(place);
  return { half, owner: place.user, finish: () => finishData(place, half) };
}

/**
 * Lets a restored database recover from the end of its copy with the write-ahead log that was put next to it, up to a given time (all of it
 * without one), and stops it again. From then on it is a history of its own. Throws a sentence where the write-ahead log does not reach so
 * far.
 */
export async function recoverData(dataFolder: DataFolder, until: Date | null): Promise<void> {
  const place = await findPlace(dataFolder);
  const signal = join(place.data, "recovery.signal");
  await writeFile(signal, "", { mode: 0o600, flush: true });
  if (place.user !== null) chownSync(signal, place.user.uid, place.user.gid);
  const settings = {
    // All of it lies in pg_wal already; PostgreSQL wants a command to be named.
    restore_command: "false",
    recovery_target_action: "promote",
    hot_standby: "off",
    ...(until === null ? {} : { recovery_target_time: timeOf(until) }),
  };
  const postmaster = await startPostmaster(place, { logFile: join(dataFolder.path, "postgres.log"), connections: 10, settings }).catch((error: Error) => {
    if (!error.message.includes("recovery ended before configured recovery target was reached")) throw error;
    throw new Error(
      `The write-ahead log beside the backup does not reach ${until?.toISOString()}: nothing was committed after that, or it is not there. Name an earlier time, or --at latest.`,
    );
  });
  await stopPostmaster(postmaster.pid, place.data);
}

/** On its command line PostgreSQL knows time zones by their offset alone. */
function timeOf(until: Date): string {
  return until.toISOString().replace("Z", "+00");
}

/** The folder is whole, and may be started. */
export async function finishRestore(dataFolder: DataFolder): Promise<void> {
  await dataFolder.remove(mark);
}
