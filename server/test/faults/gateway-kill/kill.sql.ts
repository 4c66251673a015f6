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

/**
 * Makes everything due: every open payment is queried once, every waiting callback is applied, and providers that failed are trusted again.
 * Five scheduled queries without a response are three days, after which a person decides: cycles of a busy machine's seconds must not count
 * as those.
 */
export async function updateOneCycle(db: Db, tenant: Tenant): Promise<void> {
  await sql(db)`
    update gateway_credentials set breaker_until = null, consecutive_failures = 0, failing_since = null
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode}`;
  await sql(db)`
    update gateway_payments set due_at = app_now(), asks = 0, silent_asks = null
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and state = 'due'`;
  await sql(db)`update gateway_callbacks set due_at = app_now() where project_id = ${tenant.project_id} and livemode = ${tenant.livemode}
    and state = 'due'`;
}

/**
 * Open payments that their provider has reported nothing about since then: it didn't respond in time, or its account was skipped for that
 * reason. Those without a provider's ID aren't counted while their request may still be on its way, because then no one is asked about
 * them.
 */
export async function countUnanswered(db: Db, tenant: Tenant, since: Date): Promise<number> {
  const [row] = await sql(db)<{ count: number }>`
    select count(*)::int as count from gateway_payments g
    where g.project_id = ${tenant.project_id} and g.livemode = ${tenant.livemode} and g.state = 'due'
      and not (g.provider_id is null and app_now() < g.created_at + interval '3 minutes')
      and not exists (select from gateway_attempts a where a.project_id = g.project_id and a.livemode = g.livemode
        and a.reference = g.payment_session_id
        and a.created_at >= ${since} and a.outcome not in ('unavailable', 'unknown_outcome', 'rate_limited'))`;
  return row?.count ?? 0;
}

/** What remains of a cycle. A callback whose provider didn't respond in time is tried again later; its payment was queried all the same. */
export async function countOfCycle(db: Db, tenant: Tenant): Promise<number> {
  const [row] = await sql(db)<{ count: number }>`
    select ((select count(*) from gateway_payments
        where project_id = ${tenant.project_id} and livemode = ${tenant.livemode}
          and (state = 'leased' or (state = 'due' and due_at <= app_now())))
      + (select count(*) from gateway_callbacks
        where project_id = ${tenant.project_id} and livemode = ${tenant.livemode}
          and (state = 'leased' or (state = 'due' and due_at <= app_now()))))::int as count`;
  return row?.count ?? 0;
}
