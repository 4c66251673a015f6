import type pg from "pg";
import { withLockTimeout } from "#platform/database/migrate/with-lock-timeout.ts";

/** Adds a column to every table, as later migrations will, while others read and write them. */
export async function updateTables(admin: pg.Client): Promise<void> {
  const { rows } = await admin.query<{ name: string }>(`
    select c.relname as name from pg_class c
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.relname not like 'schema_migration%' order by 1`);
  await admin.query("set lock_timeout = '2s'");
  for (const { name } of rows)
    await withLockTimeout(name, async () => void (await admin.query(`alter table ${name} add column of_a_later_version int`)));
}

/** Moves the database's clock, which the new version goes by, some hours ahead. What the old version would do later is then due. */
export async function updateClock(admin: pg.Client): Promise<void> {
  await admin.query(`
    create or replace function app_now() returns timestamptz language sql stable parallel safe
      return date_trunc('milliseconds', statement_timestamp() + interval '3 hours')`);
}
