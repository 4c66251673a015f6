import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Settings } from "../../config.ts";
import { howToRun, howToStart } from "../../installed/how-to-run.ts";
import { confirmMasterKeys } from "../../master-keys/index.ts";
import { pendingMigrations } from "../../migrations.ts";
import { createRuntime, makeLog, type Runtime } from "../../runtime/index.ts";
import { logOptions } from "./log-options.ts";

/**
 * Creates a runtime for one of several processes, on the operator's own database, already migrated. Otherwise throws a readable error about
 * what is missing.
 */
export async function createSharedRuntime(settings: Settings, command: string): Promise<Runtime> {
  if (settings.DATABASE_URL === null) {
    throw new Error(
      `\`${command}\` shares a database with other processes and needs DATABASE_URL. The embedded database belongs to one process: \`serve\`.`,
    );
  }
  return requireMigrated(await createRuntime(settings, { log: makeLog(logOptions(settings)) }), command);
}

/**
 * Creates a runtime for a short command, alongside a running server or without one. Throws a readable error if Tillpost isn't installed
 * yet.
 */
export async function createRuntimeAlongside(settings: Settings): Promise<Runtime> {
  requireInstalled(settings);
  return requireMigrated(await createRuntime(settings, { log: makeLog({ level: "error", pretty: true }), share: true }));
}

/** A short command must not create a database. */
export function requireInstalled(settings: Settings): void {
  if (settings.DATABASE_URL !== null || existsSync(join(settings.TILLPOST_DATA_DIR, "postgres.json"))) return;
  throw new Error(`There is no Tillpost in ${settings.TILLPOST_DATA_DIR} yet. \`${howToStart()}\` creates one.`);
}

async function requireMigrated(runtime: Runtime, runningAs?: string): Promise<Runtime> {
  try {
    const pending = await pendingMigrations(runtime.ctx.db);
    if (pending.length === 0) {
      await runtime.clock.follow();
      await confirmMasterKeys(runtime.ctx);
      if (runningAs !== undefined) await runtime.followKeys(runningAs);
      return runtime;
    }
    throw new Error(`The database lacks ${pending.join(", ")}. Run \`${howToRun("migrate")}\` first.`);
  } catch (error) {
    await runtime.close();
    throw error;
  }
}
