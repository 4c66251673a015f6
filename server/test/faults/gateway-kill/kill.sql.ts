import type { Tenant } from "#platform/index.ts";
import { type Db, sql } from "#platform/sql.ts";

/** A payment at a provider as recorded in the books, with its order. */
export interface BookedPayment {
  gateway: string;
  session_id: string;
  provider_id: string | null;
  session_status: string;
  order_id: string;
  order_status: string;
  amount_minor: number;
  amount_received_minor: number;
  /** Payments that were recorded for it, and their sum. */
  received: number;
  received_minor: number;
  /** Of its order. */
  paid_events: number;
  booked_minor: number;
  /** Open exceptions of its order. */
  exceptions: string[];
}

export async function listBookedPayments(db: Db, tenant: Tenant): Promise<BookedPayment[]> {
  return sql(db)<BookedPayment>`
    select g.gateway, g.payment_session_id as session_id, g.provider_id, s.status as session_status, g.order_id, o.status as order_status,
      o.amount_minor, o.amount_received_minor, (select count(*)::int from received_payments r
        where r.project_id = g.project_id and r.livemode = g.livemode and r.payment_session_id = g.payment_session_id) as received,
      (select coalesce(sum(r.amount_minor), 0)::bigint from received_payments r
        where r.project_id = g.project_id and r.livemode = g.livemode and r.payment_session_id = g.payment_session_id) as received_minor,
      (select count(*)::int from events e where e.project_id = g.project_id and e.livemode = g.livemode and e.object_id = g.order_id
        and e.event = 'order.paid') as paid_events,
      (select coalesce(sum(t.amount_minor), 0)::bigint from ledger_transfers t
        where t.project_id = g.project_id and t.livemode = g.livemode and t.order_id = g.order_id
          and t.kind = 'order_payment') as booked_minor,
      array(select x.kind from payment_exceptions x where x.project_id = g.project_id and x.livemode = g.livemode
        and x.order_id = g.order_id and x.status = 'open' order by 1) as exceptions
    from gateway_payments g
    join orders o on o.project_id = g.project_id and o.livemode = g.livemode and o.id = g.order_id
    join payment_sessions s on s.project_id = g.project_id and s.livemode = g.livemode and s.id = g.payment_session_id
    where g.project_id = ${tenant.project_id} and g.livemode = ${tenant.livemode} order by g.order_id, g.id`;
}

/** A refund by a provider as recorded in the books, with its order. */
export interface BookedRefund {
  id: string;
  gateway: string;
  /** Of the payment that it refunds; null if no provider made it. */
  session_id: string | null;
  order_id: string;
  status: string;
  amount_minor: number;
  succeeded_events: number;
  /** Of its order. */
  received_minor: number;
  amount_refunded_minor: number;
  /** Of its order, in the ledger. */
  booked_minor: number;
}

export async function listBookedRefunds(db: Db, tenant: Tenant): Promise<BookedRefund[]> {
  return sql(db)<BookedRefund>`
    select r.id, r.gateway, (select q.payment_session_id from gateway_refunds q
        where q.project_id = r.project_id and q.livemode = r.livemode and q.id = r.id) as session_id, r.order_id, r.status, r.amount_minor,
      o.amount_received_minor as received_minor, o.amount_refunded_minor,
      (select count(*)::int from events e where e.project_id = r.project_id and e.livemode = r.livemode and e.object_id = r.order_id
        and e.event = 'refund.succeeded' and convert_from(e.body, 'UTF8')::jsonb #>> '{data,refund,id}' = r.id) as succeeded_events,
      (select coalesce(sum(t.amount_minor), 0)::bigint from ledger_transfers t
        where t.project_id = r.project_id and t.livemode = r.livemode and t.order_id = r.order_id and t.kind = 'refund') as booked_minor
    from refunds r join orders o on o.project_id = r.project_id and o.livemode = r.livemode and o.id = r.order_id
    where r.project_id = ${tenant.project_id} and r.livemode = ${tenant.livemode} order by r.order_id, r.id`;
}

/**
 * References of payments and refunds whose last request since then a provider has answered; not if it failed, or its account was skipped. A
 * refund is looked for before it is requested, and that it isn't there yet says nothing about the request.
 */
const answered = (db: Db, { project_id, livemode }: Tenant, since: Date) => sql(db)`
  select a.reference from (
    select distinct on (reference) reference, outcome from gateway_attempts
    where project_id = ${project_id} and livemode = ${livemode} and reference is not null and created_at >= ${since}
    order by reference, created_at desc, id desc) a
  where a.outcome not in ('unavailable', 'unknown_outcome', 'rate_limited')`;

/**
 * Makes everything due that no provider has answered about since then: open payments and refunds are queried, waiting callbacks are
 * applied, and providers that failed are trusted again. Five scheduled queries without a response are three days, after which a person
 * decides: rounds of a busy machine's seconds must not count as those.
 */
export async function updateUnanswered(db: Db, tenant: Tenant, since: Date): Promise<void> {
  await sql(db)`
    update gateway_credentials set breaker_until = null, consecutive_failures = 0, failing_since = null
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode}`;
  await sql(db)`
    update gateway_payments set due_at = app_now(), asks = 0, silent_asks = null
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and state = 'due'
      and payment_session_id not in (${answered(db, tenant, since)})`;
  await sql(db)`
    update gateway_refunds set due_at = app_now(), asks = 0
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and state = 'due'
      and id not in (${answered(db, tenant, since)})`;
  await sql(db)`update gateway_callbacks set due_at = app_now() where project_id = ${tenant.project_id} and livemode = ${tenant.livemode}
    and state = 'due'`;
}

/**
 * Open payments and refunds that no provider has answered about since then. Payments without a provider's ID aren't counted while their
 * request may still be on its way, because then no one is asked about them.
 */
export async function countUnanswered(db: Db, tenant: Tenant, since: Date): Promise<number> {
  const [row] = await sql(db)<{ count: number }>`
    with open as (
      select g.payment_session_id as reference from gateway_payments g
      where g.project_id = ${tenant.project_id} and g.livemode = ${tenant.livemode} and g.state = 'due'
        and not (g.provider_id is null and app_now() < g.created_at + interval '3 minutes')
      union all
      select r.id from gateway_refunds r
      where r.project_id = ${tenant.project_id} and r.livemode = ${tenant.livemode} and r.state = 'due')
    select count(*)::int as count from open where reference not in (${answered(db, tenant, since)})`;
  return row?.count ?? 0;
}

/** Queries and callbacks that a worker, or a caller's request, is in the middle of. */
export async function countLeased(db: Db, tenant: Tenant): Promise<number> {
  const [row] = await sql(db)<{ count: number }>`
    select ((select count(*) from gateway_payments
        where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and state = 'leased')
      + (select count(*) from gateway_refunds
        where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and state = 'leased')
      + (select count(*) from gateway_callbacks
        where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and state = 'leased'))::int as count`;
  return row?.count ?? 0;
}

/** What remains of a cycle. A callback whose provider didn't respond in time is tried again later; its payment was queried all the same. */
export async function countOfCycle(db: Db, tenant: Tenant): Promise<number> {
  const [row] = await sql(db)<{ count: number }>`
    select ((select count(*) from gateway_payments
        where project_id = ${tenant.project_id} and livemode = ${tenant.livemode}
          and (state = 'leased' or (state = 'due' and due_at <= app_now())))
      + (select count(*) from gateway_refunds
        where project_id = ${tenant.project_id} and livemode = ${tenant.livemode}
          and (state = 'leased' or (state = 'due' and due_at <= app_now())))
      + (select count(*) from gateway_callbacks
        where project_id = ${tenant.project_id} and livemode = ${tenant.livemode}
          and (state = 'leased' or (state = 'due' and due_at <= app_now()))))::int as count`;
  return row?.count ?? 0;
}
