import type { Tenant } from "#platform/index.ts";
import { type Db, sql } from "#platform/sql.ts";

export async function countUndelivered(db: Db): Promise<number> {
  const [row] = await sql(db)<{ count: number }>`
    -- all tenants: a bench looks at all of its own
    select count(*) as count from webhook_deliveries where state in ('due', 'leased')`;
  return row?.count ?? 0;
}

/** Events that were fanned out long ago, to see what their number costs. */
export async function insertOldEvents(db: Db, tenant: Tenant, given: { from: number; to: number; now: Date }): Promise<void> {
  await sql(db)`
    insert into events (project_id, livemode, id, event, object_id, body, sequence, created_at)
    select ${tenant.project_id}, ${tenant.livemode}, 'evt_0old' || lpad(n::text, 22, '0'), 'order.created', null, '{}'::bytea, -n,
      ${given.now}
    from generate_series(${given.from}::int, ${given.to}::int) n`;
}

export async function deleteDeliveries(db: Db): Promise<void> {
  await sql(db)`
    -- all tenants: a bench begins anew
    delete from webhook_deliveries`;
}
