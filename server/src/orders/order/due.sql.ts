import { amongWanted, type Tenant, type Tx, type WantedRows } from "#platform/index.ts";
import { sql } from "#platform/sql.ts";
import { orderColumns } from "../rows/orders.sql.ts";
import type { OrderRow } from "../shapes.ts";

/**
 * Locks unpaid orders past their time, oldest first; none with a payment that its provider may still take: that one is closed there first.
 */
export async function lockDueOrders(tx: Tx, wanted: WantedRows): Promise<OrderRow[]> {
  const tag = sql(tx);
  return tag<OrderRow>`
    -- all tenants: the expiry loop takes whatever is due
    select ${orderColumns.of("o")} from orders o where o.status = 'unpaid' and o.expires_at <= app_now()
      and not exists (select from gateway_payments g
        where g.project_id = o.project_id and g.livemode = o.livemode and g.order_id = o.id and g.status <> 'done')
      ${amongWanted(tag, tag`o.id`, wanted)}
    order by o.expires_at limit ${wanted.limit} for no key update of o skip locked`;
}

/** Locks expired sessions without a reported payment, oldest first. Payments at a provider are closed there first, by their polling. */
export async function lockDueSessions(tx: Tx, wanted: WantedRows): Promise<(Tenant & { id: string })[]> {
  const tag = sql(tx);
  return tag<Tenant & { id: string }>`
    -- all tenants: the expiry loop takes whatever is due
    select s.project_id, s.livemode, s.id from payment_sessions s where s.status = 'pending' and s.expires_at <= app_now()
      and not exists (select from gateway_payments g where g.project_id = s.project_id and g.livemode = s.livemode
        and g.payment_session_id = s.id and g.status <> 'done')
      ${amongWanted(tag, tag`s.id`, wanted)}
    order by s.expires_at limit ${wanted.limit} for update of s skip locked`;
}
