import { copyFileSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, expect } from "vitest";
import { makeIdentity } from "#app/backup/archive/make-identity.ts";
import { readBackupState } from "#app/backup/state/backup-state.ts";
import { takeBackup } from "#app/backup/take-backup.ts";
import { openShipping } from "#app/backup/wal/index.ts";
import type { Runtime } from "#app/runtime/index.ts";
import { createOrder } from "#orders/index.ts";
import { s3Store } from "#test/support/network/s3-store.ts";
import { killAll, type Program, startProgram, temporaryFolder } from "#test/support/programs/program.ts";
import { runHere } from "#test/support/programs/run-here.ts";
import { startedFolder } from "#test/support/programs/started-folder.ts";
import { openForCommands } from "#test/support/programs/stopped-app.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { bucketSettings } from "./bucket-settings.ts";

export interface Order {
  id: string;
  created_at: string;
}

/** An installation that runs in the test's process, without a server and background work. */
export interface Opened {
  runtime: Runtime;
  order(): Promise<Order>;
  /** Takes a backup. Returns its path. */
  backUp(): Promise<string>;
  /** Ships the rest of its write-ahead log and ends its database. */
  close(): Promise<void>;
}

/**
 * An installation with encrypted backups, shipped write-ahead log and no background work, and databases restored from them. Removed after
 * the test file.
 */
export async function walWorld() {
  const folder = temporaryFolder();
  const at = (name: string) => join(folder.path, name);
  const dataDir = await startedFolder(at("data"));
  const keyFile = at("backup-key");
  await makeIdentity(keyFile);
  const env: Record<string, string> = {
    BACKUP_DIR: at("backups"),
    BACKUP_RECIPIENT: /age1\w+/.exec(readFileSync(keyFile, "utf8"))?.[0] ?? "",
    DISK_RESERVE_MB: "32",
    BACKUP_NIGHTLY: "off",
    WORKERS: "off",
    METRICS_TOKEN: "a-token-of-the-test",
  };
  const started: Program[] = [];
  const opened: Opened[] = [];
  afterAll(async () => {
    for (const one of opened) await one.close();
    killAll(started);
    folder.remove();
  });
  // Restored ones have the same project and key, but not this file.
  const demo = JSON.parse(readFileSync(join(dataDir, "demo.json"), "utf8")) as Demo;
  return {
    ...{ at, dataDir, env, backups: at("backups") },
    ...shippingOf({ at, dataDir }),
    ...requestsTo(demo, env),
    ...commandsOf({ at, dataDir, env, keyFile }),

    /** Copies its backups and write-ahead log to a bucket from now on. Returns the bucket's store. */
    copyToBucket: () => addBucket(env),

    async serve(dataDir: string, own: Record<string, string> = {}): Promise<Program> {
      const program = await startProgram({ dataDir, env: { ...env, ...own } });
      started.push(program);
      return program.ready();
    },

    /**
     * Opens a data folder in this process: for what is about its write-ahead log and not about the program that ships it. It takes a
     * fraction of a start's processor time.
     */
    async open(dataDir: string, own: Record<string, string> = {}): Promise<Opened> {
      const one = await workOn(await openForCommands(dataDir, { ...env, ...own }), demo);
      opened.push(one);
      return one;
    },
  };
}

async function addBucket(env: Record<string, string>) {
  const store = await s3Store();
  Object.assign(env, bucketSettings(store));
  return store;
}

interface Demo {
  project_id: string;
  api_key: string;
}

async function workOn(runtime: Runtime, { project_id }: Demo): Promise<Opened> {
  const shipping = await openShipping(runtime);
  let closing: Promise<void> | undefined;
  const close = async () => {
    await shipping?.stop();
    await runtime.close();
  };
  return {
    runtime,
    async order() {
      const { order } = await createOrder(runtime.ctx, { project_id, livemode: false }, { amount_minor: 100, currency: "CNY" });
      return { id: order.id, created_at: order.created_at.toISOString() };
    },
    backUp: async () => (await takeBackup(runtime, runtime.settings.BACKUP_DIR)).path,
    close: () => (closing ??= close()),
  };
}

function requestsTo({ project_id, api_key }: Demo, env: Record<string, string>) {
  const headers = { authorization: `Bearer ${api_key}`, "content-type": "application/json" };
  return {
    async order(program: Program): Promise<Order> {
      const body = JSON.stringify({ amount_minor: 100, currency: "CNY" });
      const answer = await fetch(`${program.url}/api/v1/projects/${project_id}/orders`, { method: "POST", headers, body });
      expect(answer.status).toBe(201);
      return (await answer.json()) as Order;
    },

    metricsOf: async (program: Program) =>
      (await fetch(`${program.url}/metrics`, { headers: { authorization: `Bearer ${env["METRICS_TOKEN"]}` } })).text(),
  };
}

interface Commanded {
  at(name: string): string;
  dataDir: string;
  env: Record<string, string>;
  keyFile: string;
}

function commandsOf({ at, dataDir, env, keyFile }: Commanded) {
  const run = (command: string[], own: { dataDir?: string; env?: Record<string, string> } = {}) =>
    runHere({ dataDir: own.dataDir ?? dataDir, command, env: { ...env, ...own.env } });
  return {
    run,

    /** Takes a backup of a data folder, whether it's served or not. Returns its path. */
    async backUp(of = dataDir): Promise<string> {
      const { code, output } = await run(["backup"], { dataDir: of });
      expect({ code, output }).toMatchObject({ code: 0 });
      return /Backed up to (\S+):/.exec(output)?.[1] ?? "";
    },

    /** Restores a backup into a folder of this name. */
    restore: (backup: string, into: string, ...how: string[]) =>
      run(["restore", backup, "--into", at(into), "--identity", keyFile, ...how]),

    verify: (backup: string, ...how: string[]) => run(["restore", "--verify", backup, "--identity", keyFile, ...how]),

    /** Puts the master keys into a restored folder. Returns its path. */
    takeKeys(name: string): string {
      copyFileSync(join(dataDir, "master-keys"), join(at(name), "master-keys"));
      return at(name);
    },
  };
}

function shippingOf({ at, dataDir }: Pick<Commanded, "at" | "dataDir">) {
  const pieces = () => piecesIn(at("backups/wal"));
  return {
    pieces,

    /** Waits until a piece of the write-ahead log was shipped. */
    shipped: () => eventually("the write-ahead log is shipped", () => pieces().length > 0, { everyMs: 50 }),

    /** Waits until it is recorded where copying began. */
    began: () => eventually("a beginning is recorded", () => readBackupState(dataDir).wal_began !== undefined),
  };
}

/** The shipped pieces of all write-ahead logs, by folder and position. */
function piecesIn(wal: string): string[] {
  if (!existsSync(wal)) return [];
  return readdirSync(wal)
    .flatMap((history) => readdirSync(join(wal, history)).map((name) => join(wal, history, name)))
    .filter((path) => !basename(path).startsWith("."))
    .sort();
}
