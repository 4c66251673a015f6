import type { Tenant } from "#platform/index.ts";
import { type Db, sql } from "#platform/sql.ts";
import type { Day } from "./days-of.ts";

export interface Span {
  from: Date;
  to: Date;
}

export interface PaidRow {
  day: string;
  currency: string;
  /** By which the money arrived. Before that was stored: the gateway of the order's newest payment attempt, or null without one. */
  gateway: string | null;
  paid_count: number;
  paid_minor: number;
}

export interface CountRow {
  created: number;
  ended: number;
  paid: number;
}

/** What orders received, for those paid on each of these days, by currency and gateway. */
export async function listPaid(db: Db, tenant: Tenant, days: Day[]): Promise<PaidRow[]> {
  return sql(db)<PaidRow>`
    select day, paid.*
    -- A day after the other: the day of each payment need not be worked out.
    from jsonb_to_recordset(${sql(db).json(days)}) as days (day text, begins timestamptz, ends timestamptz), lateral (
      select currency, paid_gateway as gateway, count(*)::int as paid_count, sum(amount_received_minor)::bigint as paid_minor
      from orders
      where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and status = 'paid'
        and paid_at >= days.begins and paid_at < days.ends
      group by 1, 2) paid
    order by 1, 2, 3`;
}

export interface RefundedRow {
  day: string;
  currency: string;
  gateway: string;
  refunded_minor: number;
}

/** What was refunded to buyers on each of these days, of what their orders had received. Excludes held money, which no order received. */
export async function listRefunded(db: Db, tenant: Tenant, days: Day[]): Promise<RefundedRow[]> {
  return sql(db)<RefundedRow>`
    select day, refunded.*
    from jsonb_to_recordset(${sql(db).json(days)}) as days (day text, begins timestamptz, ends timestamptz), lateral (
      select currency, gateway, sum(amount_minor)::bigint as refunded_minor
      from refunds
      where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and status = 'succeeded' and order_id is not null
        and exception_id is null and succeeded_at >= days.begins and succeeded_at < days.ends
      group by 1, 2) refunded
    order by 1, 2, 3`;
}

export interface DisputedRow {
  day: string;
  currency: string;
  gateway: string;
  disputed_minor: number;
}

/** What providers took for disputes on each of these days, minus what they returned. */
export async function listDisputed(db: Db, tenant: Tenant, days: Day[]): Promise<DisputedRow[]> {
  return sql(db)<DisputedRow>`
    select day, disputed.*
    from jsonb_to_recordset(${sql(db).json(days)}) as days (day text, begins timestamptz, ends timestamptz), lateral (
      select currency, gateway, sum(case kind when 'dispute' then amount_minor else -amount_minor end)::bigint as disputed_minor
      from ledger_transfers
      where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and kind in ('dispute', 'dispute_reversal')
        and created_at >= days.begins and created_at < days.ends
      group by 1, 2) disputed
    order by 1, 2, 3`;
}

/** Of the orders created in the period: how many have ended, and how many of these were paid. */
export async function countOrders(db: Db, tenant: Tenant, { from, to }: Span): Promise<CountRow> {
  const [row] = await sql(db)<CountRow>`
    select count(*)::int as created,
      count(*) filter (where status in ('paid', 'failed', 'expired', 'canceled'))::int as ended,
      count(*) filter (where status = 'paid')::int as paid
    from orders
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and created_at >= ${from} and created_at < ${to}`;
  return row ?? { created: 0, ended: 0, paid: 0 };
}

/** The median seconds from a buyer's report to its verification by a person or a receipt; null if none was verified. */
export async function findReviewSeconds(db: Db, tenant: Tenant, { from, to }: Span): Promise<number | null> {
  const [row] = await sql(db)<{ seconds: number | null }>`
    select round(percentile_cont(0.5) within group (order by date_part('epoch', verified_at - reported_at)))::int as seconds
    from payment_sessions
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode}
      and verified_at >= ${from} and verified_at < ${to} and reported_at is not null`;
  return row?.seconds ?? null;
}
