import type { Tenant } from "#platform/index.ts";
import { type Db, sql } from "#platform/sql.ts";

export interface Span {
  from: Date;
  to: Date;
}

export interface DayRow {
  day: string;
  currency: string;
  paid_count: number;
  paid_minor: number;
}

export interface ChannelRow {
  gateway: string;
  currency: string;
  paid_count: number;
  paid_minor: number;
}

export interface CountRow {
  created: number;
  ended: number;
  paid: number;
}

/** What was paid each day of the reader's time zone, by currency. */
export async function listPaidDays(db: Db, tenant: Tenant, { from, to, zone }: Span & { zone: string }): Promise<DayRow[]> {
  return sql(db)<DayRow>`
    select to_char(day::timestamp, 'YYYY-MM-DD') as day, currency, paid_count, paid_minor
    from (
      select (paid_at at time zone ${zone})::date as day, currency, count(*)::int as paid_count, sum(amount_minor)::bigint as paid_minor
      from orders
      where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and status = 'paid' and paid_at >= ${from} and paid_at < ${to}
      group by 1, 2) summed
    order by 1, 2`;
}

/** The same money by the way it came: that of the order's last attempt. */
export async function listPaidChannels(db: Db, tenant: Tenant, { from, to }: Span): Promise<ChannelRow[]> {
  return sql(db)<ChannelRow>`
    with paid as not materialized (
      select id, currency, amount_minor from orders
      where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and status = 'paid' and paid_at >= ${from} and paid_at < ${to}
    ), last as (
      -- Read all at once, from the first of these orders on: looking each of them up takes several times as long.
      -- The offset keeps that first one from being looked for from the project's oldest order on.
      select distinct on (order_id) order_id, gateway from payment_sessions
      where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and order_id >= (select min(id) from (select id from paid offset 0) read)
      order by order_id desc, id desc
    )
    select last.gateway, paid.currency, count(*)::int as paid_count, sum(paid.amount_minor)::bigint as paid_minor
    from paid join last on last.order_id = paid.id
    group by 1, 2 order by 4 desc, 1`;
}

/** Of the orders made in the span: how many have come to an end, and how many of these were paid. */
export async function countOrders(db: Db, tenant: Tenant, { from, to }: Span): Promise<CountRow> {
  const [row] = await sql(db)<CountRow>`
    select count(*)::int as created,
      count(*) filter (where status in ('paid', 'failed', 'expired', 'canceled'))::int as ended,
      count(*) filter (where status = 'paid')::int as paid
    from orders
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and created_at >= ${from} and created_at < ${to}`;
  return row ?? { created: 0, ended: 0, paid: 0 };
}

/** The median of the seconds from a buyer's report to its verification; null when none was verified. */
export async function findReviewSeconds(db: Db, tenant: Tenant, { from, to }: Span): Promise<number | null> {
  const [row] = await sql(db)<{ seconds: number | null }>`
    select round(percentile_cont(0.5) within group (order by extract(epoch from verified_at - reported_at)))::int as seconds
    from payment_sessions
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode}
      and verified_at >= ${from} and verified_at < ${to} and reported_at is not null`;
  return row?.seconds ?? null;
}
