import type { Tenant, Tx } from "#platform/index.ts";
import { sql } from "#platform/sql.ts";

/**
 * Counts one code of a subject; a window that has ended, or was opened while the clock was ahead, starts again. Returns the new count, and
 * how long the window still lasts.
 */
export async function insertWindow(
  tx: Tx,
  tenant: Tenant,
  given: { subject: string; seconds: number },
): Promise<{ used: number; left_s: number }> {
  const isOver = sql(tx)`(w.ends_at <= app_now() or w.ends_at > excluded.ends_at + interval '1 minute')`;
  const [row] = await sql(tx)<{ used: number; left_s: number }>`
    insert into verification_windows as w (project_id, livemode, subject, used, ends_at)
    values (${tenant.project_id}, ${tenant.livemode}, ${given.subject}, 1, app_now() + ${given.seconds} * interval '1 second')
    on conflict (project_id, livemode, subject) do update set
      used = case when ${isOver} then 1 else w.used + 1 end,
      ends_at = case when ${isOver} then excluded.ends_at else w.ends_at end
    returning used, ceil(extract(epoch from ends_at - app_now()))::int as left_s`;
  return row as { used: number; left_s: number };
}

/** Deletes windows that have ended. Returns how many. */
export async function deleteEndedWindows(tx: Tx, limit: number): Promise<number> {
  const rows = await sql(tx)`
    -- all tenants: what has ended is forgotten everywhere alike
    delete from verification_windows where (project_id, livemode, subject) in (
      select project_id, livemode, subject from verification_windows where ends_at <= app_now()
      order by ends_at limit ${limit} for update skip locked)`;
  return rows.count;
}
