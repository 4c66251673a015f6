import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  beginData,
  type DataFolder,
  findPlace,
  majorBrought,
  majorOfData,
  makeCluster,
  type Place,
  runCluster,
  settleLeftovers,
} from "../embedded/index.ts";
import { howToRun } from "../installed/how-to-run.ts";
import { openKeySource } from "../master-keys/index.ts";
import { keysIn } from "../runtime/index.ts";
import { carryOver } from "./carry-over.ts";
import { checkCopy } from "./check-copy.ts";
import { findOldPrograms, removeOldPrograms } from "./old-programs.ts";
import { isFull, megabytes, requireRoom } from "./room.ts";
import { markStep, type UpgradeOptions } from "./steps.ts";
import { declareReady, dropReadyCopy, findReadyCopy, isCurrent, putInPlace, type ReadyCopy, refuseOther } from "./swap.ts";

/** No background activity of the server may change the old database. Not every major has `io_method`. */
const oldSettings = { default_transaction_read_only: "on", autovacuum: "off", io_method: null };
/** A new database can be created again, so its rows need no journal; confirmed data is still on disk. */
const targetSettings = { autovacuum: "off", wal_level: "minimal", max_wal_senders: "0", maintenance_work_mem: "256MB" };
const [oldPort, targetPort] = [5433, 5434];

/**
 * Upgrades the embedded database from an earlier major to this version's: both servers run, every table is copied and compared, and the new
 * folder replaces the old one, which is retained. However it ends, the old database is unchanged until the copy is finished; another run
 * starts again or continues from there.
 */
export async function upgradeDatabase(dataFolder: DataFolder, options: UpgradeOptions): Promise<void> {
  const place = await findPlace(dataFolder);
  const own = majorBrought(place.binaries);
  await settleLeftovers(place, options.log);
  const ready = await findReadyCopy(place);
  if (ready !== null && (await isOver(place, { ready, own }))) return await finish(place, ready, { ...options, dataFolder });
  await dropReadyCopy(place);
  const written = requireOlder(place, own);
  if (written === own) {
    await removeOldPrograms(place, own, dataFolder.path);
    return options.say(`The database already uses PostgreSQL ${own}. There is nothing to do.`);
  }
  // The audits at the end need the keys, and a copy takes long, so they are checked first.
  await keysIn(dataFolder, openKeySource(options.settings));
  const binaries = await findOldPrograms(place, written, {
    given: options.oldPrograms,
    mayFetch: options.mayFetch,
    dataFolder: dataFolder.path,
    say: options.say,
  });
  const bytes = await requireRoom(place, options.freeBytes);
  options.say(`Copying the database of PostgreSQL ${written} (${megabytes(bytes)}) to PostgreSQL ${own}. The old one isn't changed.`);
  await markStep("begun", options);
  const unfinished = await beginData(place);
  try {
    await fill({ old: { ...place, binaries }, target: { ...place, data: unfinished }, dataFolder }, options);
    await markStep("stopped", options);
    const finished = await declareReady(place, { unfinished, from: written, to: own });
    await options.atStep?.("ready", {});
    await finish(place, finished, { ...options, dataFolder });
  } catch (error) {
    if ((await findReadyCopy(place)) !== null) throw error;
    const wasFull = await isFull(place);
    await rm(unfinished, { recursive: true, force: true });
    const why = wasFull ? `The disk ran full: ${(error as Error).message}` : (error as Error).message;
    const reason = options.signal?.aborted === true ? "The upgrade was stopped." : why;
    throw new Error(`${reason}\nNothing was changed: the database of PostgreSQL ${written} is as it was, and the copy was removed.`, {
      cause: error,
    });
  }
}

/** Whether an earlier run's copy only has to be put in place. Throws if this version can't do that. */
async function isOver(place: Place, { ready, own }: { ready: ReadyCopy; own: number }): Promise<boolean> {
  refuseOther(place, ready);
  if (!(await isCurrent(place, ready))) return false;
  if (ready.to === own) return true;
  if (existsSync(place.data)) return false;
  throw new Error(
    `A version of Tillpost with PostgreSQL ${ready.to} was upgrading this database and was interrupted at its last step. Let that version finish: \`${howToRun("upgrade-database")}\`. Or go back: rename ${ready.kept} in ${dirname(place.data)} to postgres.`,
  );
}

function requireOlder(place: Place, own: number): number {
  if (!existsSync(place.data)) throw new Error(`There is no database in ${dirname(place.data)} yet.`);
  const written = majorOfData(place.data);
  if (written > own)
    throw new Error(
      `The database was written by PostgreSQL ${written}, but this version of Tillpost includes ${own}. Use the version that wrote it.`,
    );
  return written;
}

async function fill(
  { old, target, dataFolder }: { old: Place; target: Place; dataFolder: DataFolder },
  options: UpgradeOptions,
): Promise<void> {
  const logFile = join(dataFolder.path, "postgres.log");
  const connections = options.settings.DATABASE_POOL * 2 + 10;
  const oldServer = await runCluster(old, { logFile, connections, port: oldPort, settings: oldSettings });
  try {
    await markStep("old runs", options, { old: oldServer.url });
    await makeCluster(target, target.data);
    await markStep("cluster made", options);
    const targetServer = await runCluster(target, { logFile, connections, port: targetPort, settings: targetSettings });
    try {
      await markStep("new runs", options);
      await carryOver({ old: oldServer.url, target: targetServer.url }, options);
      await markStep("compared", options);
      await checkCopy(targetServer.url, options);
      await markStep("checked", options);
    } finally {
      await targetServer.stop();
    }
  } finally {
    await oldServer.stop();
  }
}

async function finish(place: Place, ready: ReadyCopy, options: UpgradeOptions & { dataFolder: DataFolder }): Promise<void> {
  const oldFolder = await putInPlace(place, ready, async () => await options.atStep?.("old aside", {}));
  await options.atStep?.("in place", {});
  await removeOldPrograms(place, ready.to, options.dataFolder.path);
  options.say(
    `Done: the database now uses PostgreSQL ${ready.to}. The PostgreSQL ${ready.from} database is kept in ${oldFolder}; ${oldFolder}.txt explains how to go back.`,
  );
}
