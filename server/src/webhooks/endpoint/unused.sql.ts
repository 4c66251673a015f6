import type { Tx } from "#platform/index.ts";
import { sql } from "#platform/sql.ts";

/**
 * Deletes receivers of callbacks, and endpoints that were deleted so long ago, that have no deliveries and attempts left; looks at each
 * once a day. The caller keeps events from being fanned out, which could give a receiver its next delivery. Returns how many.
 *
 * Plan: candidates by `webhook_endpoints_passing`, and for each at most one row by `webhook_deliveries_pkey` and `webhook_attempts_pkey`.
 */
export async function deleteUnused(tx: Tx, retentionDays: number, limit: number): Promise<number> {
  const rows = await sql(tx)`
    -- all tenants: retention is the same for everybody
    with looked as materialized (
      select e.project_id, e.livemode, e.id,
        exists (select from webhook_deliveries d where d.project_id = e.project_id and d.livemode = e.livemode and d.endpoint_id = e.id)
          or exists (select from webhook_attempts a where a.project_id = e.project_id and a.livemode = e.livemode and a.endpoint_id = e.id)
          as is_used
      from webhook_endpoints e
      where (e.kind = 'callback' or e.removed_at < app_now() - ${retentionDays}::int * interval '1 day')
        and coalesce(e.history_checked_at, e.created_at) < app_now() - interval '1 day'
      order by coalesce(e.history_checked_at, e.created_at) limit ${limit} for update of e skip locked),
    kept as (
      update webhook_endpoints e set history_checked_at = app_now() from looked l
      where l.is_used and e.project_id = l.project_id and e.livemode = l.livemode and e.id = l.id)
    delete from webhook_endpoints e using looked l
    where not l.is_used and e.project_id = l.project_id and e.livemode = l.livemode and e.id = l.id`;
  return rows.count;
}
