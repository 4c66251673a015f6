import type { Tenant } from "#platform/index.ts";
import { type Db, sql } from "#platform/sql.ts";

/** The gateways of an order's started payments. */
export async function listGatewaysOfOrder(db: Db, tenant: Tenant, orderId: string): Promise<string[]> {
  const rows = await sql(db)<{ gateway: string }>`
    select distinct gateway from payment_sessions
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and order_id = ${orderId}`;
  return rows.map((row) => row.gateway);
}
