import { readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll } from "vitest";
import { startNightly } from "#app/backup/nightly/index.ts";
import { openShipping } from "#app/backup/wal/index.ts";
import type { Runtime } from "#app/runtime/index.ts";
import { createOrder } from "#orders/index.ts";
import { s3Store } from "#test/support/network/s3-store.ts";
import { programEnvironment, temporaryFolder } from "#test/support/programs/program.ts";
import { runHere } from "#test/support/programs/run-here.ts";
import { startedFolder } from "#test/support/programs/started-folder.ts";
import { openForCommands } from "#test/support/programs/stopped-app.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { bucketSettings } from "./bucket-settings.ts";

/** An installation whose backups and write-ahead log are copied to a bucket, until its machine is lost. Removed after the test file. */
export async function bucketWorld() {
  const folder = temporaryFolder();
  const at = (name: string) => join(folder.path, name);
  const store = await s3Store();
  const dataDir = await startedFolder(at("data"));
  const backups = at("backups");
  const env = {
    BACKUP_DIR: backups,
    BACKUP_NIGHTLY: "off",
    DISK_RESERVE_MB: "32",
    ...bucketSettings(store),
  };
  const runtime = await openForCommands(dataDir, { ...env, BACKUP_WAL: "on" });
  const shipping = await openShipping(runtime);
  let closing: Promise<void> | undefined;
  const close = async () => {
    await shipping?.stop();
    await runtime.close();
  };
  afterAll(async () => {
    await (closing ??= close());
    folder.remove();
  });
  const { project_id } = JSON.parse(readFileSync(join(dataDir, "demo.json"), "utf8")) as { project_id: string };
  const { BACKUP_DIR: _, ...usual } = env;
  return {
    ...{ at, store, dataDir, backups, env, runtime, ...nightsOf(runtime, env) },

    run: (command: string[]) => runHere({ dataDir, command, env }),

    /** Keys of the objects in the bucket that begin like this. */
    there: (prefix: string) => [...store.objects.keys()].filter((key) => key.startsWith(prefix)),

    /** Takes an order, and loses everything but the bucket and the master keys. Returns the order's id. */
    async lose(): Promise<string> {
      const { order } = await createOrder(runtime.ctx, { project_id, livemode: false }, { amount_minor: 100, currency: "CNY" });
      await (closing ??= close());
      renameSync(join(dataDir, "master-keys"), at("master-keys"));
      for (const lost of [dataDir, backups]) rmSync(lost, { recursive: true });
      return order.id;
    },

    /** Restores into the data folder. By default, backups are inside the folder that is restored into. */
    restore: (...how: string[]) => runHere({ dataDir, command: ["restore", ...how], env: usual }),
  };
}

/** The nightly backup of an installation with these settings, and the backups in its folder. */
function nightsOf(runtime: Runtime, env: Record<"BACKUP_DIR", string> & Record<string, string>) {
  const { TILLPOST_DATA_DIR: dataDir, PORT: port } = runtime.settings;
  const nightly = (own: Partial<Runtime["settings"]> = {}) =>
    startNightly(
      { ...runtime, settings: { ...runtime.settings, ...own } },
      { everyMs: 20, env: programEnvironment({ dataDir, port, env }) },
    );
  return {
    nightly,

    backupNames: () => readdirSync(env.BACKUP_DIR).filter((name) => name.startsWith("2")),

    /** Runs the nightly backup until that holds, with settings of its own. */
    async nightUntil(what: string, holds: () => boolean, own: Partial<Runtime["settings"]> = {}): Promise<void> {
      const running = nightly(own);
      await eventually(what, holds);
      await running.stop();
    },
  };
}
