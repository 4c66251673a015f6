import { existsSync } from "node:fs";
import { readdir, rm, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Logger } from "pino";
import { makeRoles } from "../database-roles/index.ts";
import type { DataFolder } from "./data-folder.ts";
import { clearReadOnly, guardDisk } from "./guard-disk.ts";
import { refuseHalfUpgraded, requireMajor } from "./majors.ts";
import { makeCluster } from "./make-cluster.ts";
import { beginData, finishData, unfinished } from "./new-data.ts";
import { findPlace, type Place } from "./postgres-place.ts";
import { startPostmaster, stopPostmaster } from "./postmaster.ts";
import { keepRunning } from "./revive/keep-running.ts";
import { startPatiently, stopOrphan, superuserUrl } from "./run-cluster.ts";

/** The embedded database, running. */
export interface Embedded {
  /** As the serving role. */
  url: string;
  /** As the role that owns the tables. */
  ownerUrl: string;
  /** As the role that copies the server's files. */
  backupUrl: string;
  /** Stops it in order; safe to call again. */
  stop(): Promise<void>;
}

interface Options {
  log: Logger;
  /** The most connections that the program will open. */
  connections: number;
  /** Free disk space below which nothing is written. */
  reserveBytes: number;
  /** Called when the database keeps ending on its own and is no longer restarted. */
  onLost(error: Error): void;
}

/** The database writes its journal in 16 MB pieces and needs one to start. */
const leastBytes = 24 * 1024 * 1024;

/**
 * Starts Tillpost's own PostgreSQL on this folder, creating the database the first time. One that a killed Tillpost left running is stopped
 * first. If it dies, it's restarted; connections recover automatically.
 */
export async function startEmbedded(dataFolder: DataFolder, options: Options): Promise<Embedded> {
  const place = await findPlace(dataFolder);
  await settleLeftovers(place, options.log);
  if (!existsSync(place.data)) await makeDatabase(place);
  requireMajor(place);
  await clearReadOnly(place.data);
  const start = () => startPostmaster(place, { logFile: join(dataFolder.path, "postgres.log"), connections: options.connections + 10 });
  const freeBytes = () => leastFree([place.data, dataFolder.path]);
  let postmaster = await startPatiently(start).catch(async (error: unknown) => {
    throw (await freeBytes()) >= leastBytes ? error : noSpace(place, error);
  });
  let stopping: Promise<void> | undefined;
  const kept = {
    postmaster: () => postmaster,
    isStopping: () => stopping !== undefined,
    hasRoom: async () => (await freeBytes()) >= leastBytes,
    start: async () => void (postmaster = await startPatiently(start)),
    stop: () => stopPostmaster(postmaster.pid, place.data),
  };
  void keepRunning(kept, options.log).catch((error: Error) => stopping === undefined && options.onLost(error));

  const url = superuserUrl(place);
  const roles = await makeRoles(url).catch(async (error: unknown) => {
    stopping = stopPostmaster(postmaster.pid, place.data);
    await stopping;
    throw error;
  });
  const guard = guardDisk({ url, log: options.log, reserveBytes: options.reserveBytes, freeBytes });
  const stop = async () => {
    await guard.stop();
    await stopPostmaster(postmaster.pid, place.data);
  };
  return { url: roles.appUrl, ownerUrl: roles.ownerUrl, backupUrl: roles.backupUrl, stop: () => (stopping ??= stop()) };
}

function noSpace(place: Place, cause: unknown): Error {
  const message = `There is no space left for the database in ${dirname(place.data)}. Free some space and start again.`;
  return new Error(message, { cause });
}

/** Free bytes of the fullest disk that these folders are on. */
export async function leastFree(folders: string[]): Promise<number> {
  const rooms = await Promise.all(folders.map((folder) => statfs(folder)));
  return Math.min(...rooms.map(({ bavail, bsize }) => bavail * bsize));
}

/** Stops what a killed program left running, and removes what it hadn't finished. */
export async function settleLeftovers(place: Place, log: Logger): Promise<void> {
  const orphan = await stopOrphan(place.data);
  if (orphan !== null) log.warn({ pid: orphan }, "stopped a database left running by an earlier start");
  const parent = dirname(place.data);
  for (const name of await readdir(parent)) {
    // What a killed start was creating may still be growing; then it's removed at the next start.
    if (!name.startsWith(unfinished)) continue;
    await stopOrphan(join(parent, name));
    await rm(join(parent, name), { recursive: true, force: true }).catch(() => {});
  }
}

/** Each attempt has its own folder, because a killed start keeps writing for a second. It gets its final name only when complete. */
async function makeDatabase(place: Place): Promise<void> {
  refuseHalfUpgraded(place);
  const half = await beginData(place);
  await makeCluster(place, half);
  await finishData(place, half);
}
