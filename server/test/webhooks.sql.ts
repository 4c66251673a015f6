import type { Tenant } from "#platform/index.ts";
import { type Db, sql } from "#platform/sql.ts";

export interface DeliveryState {
  event_id: string;
  endpoint_id: string;
  state: string;
  step: number;
  attempts: number;
  due_at: Date;
}

/** What a tenant's endpoints are owed, in the order of the events. */
export async function listDeliveryStates(db: Db, tenant: Tenant): Promise<DeliveryState[]> {
  return sql(db)<DeliveryState>`
    select event_id, endpoint_id, state, step, attempts, due_at from webhook_deliveries
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} order by sequence, endpoint_id`;
}

export async function countNotices(db: Db): Promise<Record<string, number>> {
  const rows = await sql(db)<{ kind: string; count: number }>`select kind, count(*) as count from notices group by kind order by kind`;
  return Object.fromEntries(rows.map((row) => [row.kind, row.count]));
}
