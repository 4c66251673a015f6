import { type Db, sql } from "#platform/sql.ts";

/** Bytes of write-ahead log that the database retains until they're shipped; null if it retains none, or the slot is lost. */
export async function findWalBehind(db: Db): Promise<number | null> {
  const [row] = await sql(db)<{ bytes: number | null }>`
    select pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)::float8 as bytes from pg_replication_slots where slot_name = 'tillpost_wal'`;
  return row?.bytes ?? null;
}

/** The position up to which the write-ahead log is on disk. */
export async function findWalEnd(db: Db): Promise<string | null> {
  const [row] = await sql(db)<{ lsn: string }>`select pg_current_wal_flush_lsn()::text as lsn`;
  return row?.lsn ?? null;
}

/** How many slots retain write-ahead log. */
export async function countWalKeepers(db: Db): Promise<number> {
  const [row] = await sql(db)<{ count: number }>`select count(*)::int as count from pg_replication_slots where slot_name = 'tillpost_wal'`;
  return row?.count ?? 0;
}
