import { randomBytes } from "node:crypto";
import { chownSync, existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Db, openDatabase } from "#platform/index.ts";
import type { DataFolder } from "./data-folder.ts";
import { beginData, finishData } from "./new-data.ts";
import { installedPackage } from "./postgres-binaries.ts";
import { findPlace } from "./postgres-place.ts";
import type { OsUser } from "./postgres-user.ts";
import { startPostmaster, stopPostmaster } from "./postmaster.ts";
import { superuserUrl } from "./run-cluster.ts";
import { findLastReplayed } from "./sql.ts";

/** Where a copy of a database goes. */
export interface RestoredData {
  /** An empty folder for its files. */
  half: string;
  /** Their owner, if it is another user. */
  owner: OsUser | null;
  finish(): Promise<void>;
}

/** The PostgreSQL major that this program includes. */
export function embeddedMajor(): number {
  return Number.parseInt(installedPackage().version, 10);
}

/** Creates a folder for the files of a database with this superuser password, which begins a history of its own. */
export async function beginRestoredData(dataFolder: DataFolder, password: string): Promise<RestoredData> {
  const place = await findPlace(dataFolder, { password, history: randomBytes(8).toString("hex") });
  if (existsSync(place.data)) throw new Error(`There is already a database in ${place.data}.`);
  const half = await beginData(place);
  return { half, owner: place.user, finish: () => finishData(place, half) };
}

/** How far a restored database replays its write-ahead log: to the end of its copy, to a time, or all of it. */
export type RecoveryTarget = "end of copy" | Date | "end of log";

/**
 * Lets a restored database recover with the write-ahead log that was put next to it, begin a timeline of its own, be read by `inspect`, and
 * stops it again. Returns when the last transaction that was replayed after the copy was committed. Throws a readable error if the log
 * doesn't reach the target.
 */
export async function recoverData(
  dataFolder: DataFolder,
  target: RecoveryTarget,
  inspect: (db: Db) => Promise<void>,
): Promise<Date | null> {
  const place = await findPlace(dataFolder);
  const signal = join(place.data, "recovery.signal");
  await writeFile(signal, "", { mode: 0o600, flush: true });
  if (place.user !== null) chownSync(signal, place.user.uid, place.user.gid);
  const settings = {
    // All of it is in pg_wal already, but PostgreSQL requires a command.
    restore_command: "false",
    recovery_target_timeline: "current",
    recovery_target_action: "promote",
    hot_standby: "off",
    ...(target === "end of copy" ? { recovery_target: "immediate" } : {}),
    ...(target instanceof Date ? { recovery_target_time: timeOf(target) } : {}),
  };
  const postmaster = await startPostmaster(place, { logFile: join(dataFolder.path, "postgres.log"), connections: 10, settings }).catch(
    (error: Error) => {
      if (!(target instanceof Date) || !error.message.includes("recovery ended before configured recovery target was reached")) throw error;
      throw new Error(
        `The write-ahead log that follows the backup doesn't reach ${target.toISOString()}: nothing was committed after that, or part of the log is missing. Pass an earlier time, or --at latest. If a restored database was running by then, restore one of its own backups.`,
      );
    },
  );
  try {
    return await withDatabase(superuserUrl(place), async (db) => {
      await inspect(db);
      return target === "end of copy" ? null : await findLastReplayed(db);
    });
  } finally {
    await stopPostmaster(postmaster.pid, place.data);
  }
}

async function withDatabase<T>(url: string, work: (db: Db) => Promise<T>): Promise<T> {
  const database = openDatabase({ url, max: 1, applicationName: "tillpost-restore" });
  try {
    return await work(database.db);
  } finally {
    await database.close(1);
  }
}

/** On its command line PostgreSQL only knows time zones by their offset. */
function timeOf(until: Date): string {
  return until.toISOString().replace("Z", "+00");
}
