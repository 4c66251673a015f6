import type { Tenant } from "#platform/index.ts";
import { type Db, sql } from "#platform/sql.ts";

/** How often each irrevocable event happened to an order, by what was reported to the outside. */
export interface OrderOutcome {
  id: string;
  status: string;
  paid: number;
  canceled: number;
  expired: number;
  succeeded_sessions: number;
}

export async function countOutcomes(db: Db, tenant: Tenant): Promise<OrderOutcome[]> {
  return sql(db)<OrderOutcome>`
    with told as (
      select object_id, event, convert_from(body, 'UTF8')::jsonb #>> '{data,order,failure_code}' as failure_code from events
      where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and event in ('order.paid', 'order.failed')
    )
    select o.id, o.status,
      count(*) filter (where told.event = 'order.paid') as paid,
      count(*) filter (where told.failure_code = 'canceled') as canceled,
      count(*) filter (where told.failure_code = 'expired') as expired,
      (select count(*) from payment_sessions s
        where s.project_id = o.project_id and s.livemode = o.livemode and s.order_id = o.id
          and s.status = 'succeeded') as succeeded_sessions
    from orders o left join told on told.object_id = o.id
    where o.project_id = ${tenant.project_id} and o.livemode = ${tenant.livemode}
    group by o.project_id, o.livemode, o.id, o.status order by o.id`;
}

/** Transfers that took in money for an order, of any type. */
export async function countIncome(db: Db, tenant: Tenant, orderId: string): Promise<number> {
  const [row] = await sql(db)<{ total: number }>`
    select count(*) as total from ledger_transfers
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and order_id = ${orderId} and debit = 'custody'`;
  return row?.total ?? 0;
}
