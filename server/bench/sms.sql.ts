import type { Tenant } from "#platform/index.ts";
import { type Db, sql } from "#platform/sql.ts";

export async function listSmsSample(db: Db, tenant: Tenant, limit: number): Promise<string[]> {
  const rows = await sql(db)<{ id: string }>`
    select id from sms where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} order by md5(id) limit ${limit}`;
  return rows.map(({ id }) => id);
}

/** Cancels what a bench left to be sent. */
export async function deleteDueSms(db: Db): Promise<void> {
  await sql(db)`
    -- all tenants: the bench empties its own database
    update sms set status = 'failed', state = 'done', lease = null, lease_until = null, begun = false where state <> 'done'`;
}

/** How many messages have a status, and how many of them are still in progress. */
export async function countSms(db: Db, tenant: Tenant): Promise<{ open: number; delivered: number }> {
  const [row] = await sql(db)<{ open: number; delivered: number }>`
    select count(*) filter (where state <> 'done')::int as open, count(*) filter (where status = 'delivered')::int as delivered
    from sms where project_id = ${tenant.project_id} and livemode = ${tenant.livemode}`;
  return row ?? { open: 0, delivered: 0 };
}
