import { readSettings } from "#app/config.ts";
import { confirmMasterKeys } from "#app/master-keys/index.ts";
import { createRuntime, makeLog, type Runtime } from "#app/runtime/index.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { freePort } from "#test/support/network/free-port.ts";
import { programEnvironment } from "./program.ts";

/**
 * Opens a data folder without a running program in this process, without a server and background work, which is much faster than a full
 * start. The caller closes it.
 */
export async function openHere(dataDir: string, env: Record<string, string> = {}): Promise<Runtime> {
  const settings = readSettings(programEnvironment({ dataDir, port: await freePort(), env }));
  return createRuntime(settings, { log: makeLog({ level: "silent", pretty: false }) });
}

/** The same, so that commands work alongside it as alongside the program, in this process and in others. */
export async function openForCommands(dataDir: string, env: Record<string, string> = {}): Promise<Runtime> {
  const runtime = await openHere(dataDir, env);
  try {
    await runtime.clock.follow();
    await confirmMasterKeys(runtime.ctx);
    await runtime.dataFolder?.announce({
      pid: process.pid,
      started_at: runtime.ctx.now().toISOString(),
      address: null,
      database_url: runtime.databaseUrl,
      owner_url: runtime.ownerUrl,
      backup_url: runtime.backupUrl,
    });
  } catch (error) {
    await runtime.close();
    throw error;
  }
  return runtime;
}

/** The orders in a data folder without a running program, oldest first. */
export async function ordersIn(dataDir: string, env: Record<string, string> = {}): Promise<string[]> {
  const runtime = await openHere(dataDir, env);
  try {
    return (await runStatement<{ id: string }>(runtime.ctx.db, "select id from orders order by id")).map(({ id }) => id);
  } finally {
    await runtime.close();
  }
}
