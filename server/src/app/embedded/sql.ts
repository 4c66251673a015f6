import { type Db, sql } from "#platform/sql.ts";

/** Makes every transaction that starts from now on, on any connection, read-only, or undoes that. */
export async function updateReadOnly(db: Db, isReadOnly: boolean): Promise<void> {
  if (isReadOnly) await sql(db)`alter system set default_transaction_read_only = on`;
  else await sql(db)`alter system reset default_transaction_read_only`;
  await sql(db)`select pg_reload_conf()`;
}

/** When the last transaction that the server replayed as it recovered was committed; null if there was none. */
export async function findLastReplayed(db: Db): Promise<Date | null> {
  const [row] = await sql(db)<{ at: Date | null }>`select pg_last_xact_replay_timestamp() as at`;
  return row?.at ?? null;
}
