import { readSettings } from "#app/config.ts";
import { createRuntime, makeLog } from "#app/runtime/index.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { freePort } from "#test/support/network/free-port.ts";
import { programEnvironment } from "./program.ts";

/**
 * The orders in a data folder without a running program, oldest first. Its database runs for the query, which is much faster than a full
 * start.
 */
export async function ordersIn(dataDir: string, env: Record<string, string> = {}): Promise<string[]> {
  const settings = readSettings(programEnvironment({ dataDir, port: await freePort(), env }));
  const runtime = await createRuntime(settings, { log: makeLog({ level: "error", pretty: false }) });
  try {
    return (await runStatement<{ id: string }>(runtime.ctx.db, "select id from orders order by id")).map(({ id }) => id);
  } finally {
    await runtime.close();
  }
}
