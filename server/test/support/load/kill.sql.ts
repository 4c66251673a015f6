import type { Tenant } from "#platform/index.ts";
import { type Db, sql } from "#platform/sql.ts";

/** One order with what is stored about it elsewhere. */
export interface Trace {
  id: string;
  reference: string;
  status: string;
  created_events: number;
  paid_events: number;
  booked_minor: number;
}

export async function listTraces(db: Db, tenant: Tenant): Promise<Trace[]> {
  return await sql(db)<Trace>`
    with told as (
      select object_id, count(*) filter (where event = 'order.created') as created, count(*) filter (where event = 'order.paid') as paid
      from events where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} group by object_id
    ), booked as (
      select order_id, sum(amount_minor)::bigint as total from ledger_transfers
      where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and kind = 'order_payment' group by order_id
    )
    select o.id, o.reference, o.status, coalesce(told.created, 0) as created_events, coalesce(told.paid, 0) as paid_events,
      coalesce(booked.total, 0)::bigint as booked_minor
    from orders o left join told on told.object_id = o.id left join booked on booked.order_id = o.id
    where o.project_id = ${tenant.project_id} and o.livemode = ${tenant.livemode}`;
}

/** Transactions that booked payments of several orders. */
export async function countSettledTogether(db: Db, tenant: Tenant): Promise<number> {
  const [row] = await sql(db)<{ count: number }>`
    select count(*)::int as count from (
      select xmin::text from ledger_transfers where project_id = ${tenant.project_id} and livemode = ${tenant.livemode}
        and kind = 'order_payment'
      group by 1 having count(distinct order_id) > 1) together`;
  return row?.count ?? 0;
}
