import type { Tenant, Tx } from "#platform/index.ts";
import { type Db, known, type Pipe, type Sent, send, sql } from "#platform/sql.ts";

/** Adds to a project's use of today unless that would exceed `limit`; returns whether it was added. */
export function insertUsage<On extends Tx | Pipe>(
  tx: On,
  tenant: Tenant,
  given: { channel: string; day: string; wanted: number; limit: number },
): Sent<On, boolean> {
  if (given.wanted > given.limit) return known(tx, false);
  return send(
    tx,
    sql(tx)`
    insert into usage_counters as u (project_id, livemode, channel, day, used)
    values (${tenant.project_id}, ${tenant.livemode}, ${given.channel}, ${given.day}, ${given.wanted})
    on conflict (project_id, livemode, channel, day) do update set used = u.used + excluded.used
    where u.used + excluded.used <= ${given.limit}`,
    (rows) => rows.count === 1,
  );
}

/** A project's use on each day since a given one; days without use are absent. */
export async function listUsageRows(
  db: Db,
  tenant: Tenant,
  given: { channel: string; since: string },
): Promise<{ day: string; used: number }[]> {
  return sql(db)<{ day: string; used: number }>`
    select day::text as day, used from usage_counters
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and channel = ${given.channel} and day >= ${given.since}::date
    order by day`;
}

/** Removes the counts of days before one. */
export async function deleteUsage(tx: Tx, before: string, limit: number): Promise<number> {
  const rows = await sql(tx)`
    -- all tenants: what was kept long enough is forgotten everywhere alike
    delete from usage_counters where (project_id, livemode, channel, day) in (
      select project_id, livemode, channel, day from usage_counters where day < ${before}::date
      order by day limit ${limit} for update skip locked)`;
  return rows.count;
}
