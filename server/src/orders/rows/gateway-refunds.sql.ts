import type { Tenant, Tx } from "#platform/index.ts";
import { byKey, type ColumnsOf, columns, type Db, sql } from "#platform/sql.ts";
import type { ExceptionRow, GatewayPaymentRow, GatewayRefundRow } from "../shapes.ts";
import { refundPollStates } from "../states.ts";
import { exceptionColumns } from "./exceptions.sql.ts";
import { givenKeys } from "./given-keys.sql.ts";

export const gatewayRefundColumns: ColumnsOf<GatewayRefundRow> = columns(
  "gateway_refunds",
  `
  project_id, livemode, id, payment_session_id, gateway, credential_id, provider_refund_id, provider_state, told_at, request_key,
  exception_id, asks, state, lease, lease_until, created_at, updated_at`,
);

type NewGatewayRefund = Pick<
  GatewayRefundRow,
  | "project_id"
  | "livemode"
  | "id"
  | "payment_session_id"
  | "gateway"
  | "credential_id"
  | "provider_refund_id"
  | "provider_state"
  | "request_key"
  | "lease"
>;

/** Stores a refund at a provider: leased by the caller that requests it (`lease`), or done if the provider reported it itself. */
export async function insertGatewayRefund(
  tx: Tx,
  row: NewGatewayRefund,
  given: { pollAfterMs: number; leaseMs: number },
): Promise<GatewayRefundRow> {
  const isReported = row.lease === null;
  const [made] = await sql(tx)<GatewayRefundRow>`
    insert into gateway_refunds (project_id, livemode, id, payment_session_id, gateway, credential_id, provider_refund_id, provider_state,
      request_key, told_at, state, due_at, lease, lease_until, created_at, updated_at)
    values (${row.project_id}, ${row.livemode}, ${row.id}, ${row.payment_session_id}, ${row.gateway}, ${row.credential_id},
      ${row.provider_refund_id}, ${row.provider_state}, ${row.request_key}, case when ${isReported} then app_now() end,
      case when ${isReported} then 'done' else 'leased' end, app_now() + ${given.pollAfterMs} * interval '1 millisecond', ${row.lease},
      case when ${isReported} then null else app_now() + ${given.leaseMs} * interval '1 millisecond' end, app_now(), app_now())
    returning ${gatewayRefundColumns}`;
  return made as GatewayRefundRow;
}

export async function findGatewayRefund(db: Db, tenant: Tenant, id: string): Promise<GatewayRefundRow | null> {
  const [row] = await byKey(db)<GatewayRefundRow>`
    select ${gatewayRefundColumns} from gateway_refunds where project_id = ${tenant.project_id} and livemode = ${tenant.livemode}
      and id = ${id}`;
  return row ?? null;
}

/** A refund by its provider's id. */
export async function findGatewayRefundAt(
  db: Db,
  tenant: Tenant,
  given: { credentialId: string; providerRefundId: string },
): Promise<GatewayRefundRow | null> {
  const [row] = await sql(db)<GatewayRefundRow>`
    select ${gatewayRefundColumns} from gateway_refunds
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and credential_id = ${given.credentialId}
      and provider_refund_id = ${given.providerRefundId}`;
  return row ?? null;
}

export async function lockGatewayRefund(tx: Tx, tenant: Tenant, id: string): Promise<GatewayRefundRow | null> {
  const [row] = await sql(tx)<GatewayRefundRow>`
    select ${gatewayRefundColumns} from gateway_refunds
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and id = ${id} for no key update`;
  return row ?? null;
}

/** The active refund that a request with this key requested; keys can be reused after some days. */
export async function findRefundOfRequest(db: Db, tenant: Tenant, requestKey: string): Promise<GatewayRefundRow | null> {
  const [row] = await sql(db)<GatewayRefundRow>`
    select ${gatewayRefundColumns.of("g")} from gateway_refunds g
    join refunds r on r.project_id = g.project_id and r.livemode = g.livemode and r.id = g.id
    where g.project_id = ${tenant.project_id} and g.livemode = ${tenant.livemode} and g.request_key = ${requestKey} and r.status <> 'failed'
      and g.created_at > app_now() - interval '72 hours'
    order by g.id desc limit 1`;
  return row ?? null;
}

/** The refund of all money of a payment that only the payment's total showed, so that it has no id of its provider yet. */
export async function findRefundOfTotal(
  db: Db,
  payment: Tenant & { payment_session_id: string },
): Promise<(Tenant & { id: string; amount_minor: number }) | null> {
  const [row] = await sql(db)<Tenant & { id: string; amount_minor: number }>`
    select g.project_id, g.livemode, g.id, r.amount_minor from gateway_refunds g
    join refunds r on r.project_id = g.project_id and r.livemode = g.livemode and r.id = g.id
    join gateway_payments p on p.project_id = g.project_id and p.livemode = g.livemode and p.payment_session_id = g.payment_session_id
    where g.project_id = ${payment.project_id} and g.livemode = ${payment.livemode} and g.payment_session_id = ${payment.payment_session_id}
      and g.provider_refund_id is null and r.status = 'succeeded' and r.exception_id is not null
      and r.amount_minor >= p.paid_minor and r.currency = p.paid_currency`;
  return row ?? null;
}

/** Gives a refund the id that its provider reports now. */
export async function updateGatewayRefundNamed(tx: Tx, refund: Tenant & { id: string }, providerRefundId: string): Promise<void> {
  await sql(tx)`
    with named as (
      update gateway_refunds set provider_refund_id = ${providerRefundId}, updated_at = app_now()
      where project_id = ${refund.project_id} and livemode = ${refund.livemode} and id = ${refund.id}
      returning project_id, livemode, id)
    update refunds r set gateway_refund_id = ${providerRefundId} from named
    where r.project_id = named.project_id and r.livemode = named.livemode and r.id = named.id`;
}

/** A provider's report on a refund; absent members stay. */
interface ReportedRefund {
  providerRefundId: string | null;
  providerState: string;
  /** Nothing more is expected of the provider. */
  isFinal: boolean;
}

export async function updateGatewayRefundReported(tx: Tx, refund: GatewayRefundRow, reported: ReportedRefund): Promise<void> {
  if (reported.isFinal) refundPollStates.check([refund.state], "done");
  await sql(tx)`
    update gateway_refunds set told_at = app_now(), updated_at = app_now(),
      provider_refund_id = coalesce(provider_refund_id, ${reported.providerRefundId}), provider_state = ${reported.providerState},
      state = case when ${reported.isFinal} then 'done' else state end, lease = case when ${reported.isFinal} then null else lease end,
      lease_until = case when ${reported.isFinal} then null else lease_until end
    where project_id = ${refund.project_id} and livemode = ${refund.livemode} and id = ${refund.id}`;
}

/** Records that a refund is being requested, at the earliest at a given time. */
export async function updateGatewayRefundRequested(tx: Tx, refund: Tenant & { id: string }, notBefore: Date | null): Promise<void> {
  await sql(tx)`
    update gateway_refunds set requested_at = greatest(app_now(), ${notBefore}::timestamptz), updated_at = app_now()
    where project_id = ${refund.project_id} and livemode = ${refund.livemode} and id = ${refund.id}`;
}

/** Ends the polling of a refund that certainly doesn't exist. */
export async function updateGatewayRefundEnded(tx: Tx, refund: GatewayRefundRow): Promise<void> {
  refundPollStates.check([refund.state], "done");
  await sql(tx)`
    update gateway_refunds set state = 'done', lease = null, lease_until = null, updated_at = app_now()
    where project_id = ${refund.project_id} and livemode = ${refund.livemode} and id = ${refund.id}`;
}

export async function updateGatewayRefundCase(tx: Tx, refund: Tenant & { id: string }, exceptionId: string): Promise<void> {
  await sql(tx)`
    update gateway_refunds set exception_id = ${exceptionId}, updated_at = app_now()
    where project_id = ${refund.project_id} and livemode = ${refund.livemode} and id = ${refund.id}`;
}

/** Leases a refund that no process is asking about, or whose process was lost; null if another process has it. */
export async function updateRefundTaken(
  tx: Tx,
  refund: Tenant & { id: string },
  given: { lease: string; durationMs: number },
): Promise<GatewayRefundRow | null> {
  refundPollStates.check(["due"], "leased");
  const [row] = await sql(tx)<GatewayRefundRow>`
    update gateway_refunds set state = 'leased', lease = ${given.lease},
      lease_until = app_now() + ${given.durationMs} * interval '1 millisecond'
    where project_id = ${refund.project_id} and livemode = ${refund.livemode} and id = ${refund.id}
      and (state = 'due' or (state = 'leased' and lease_until < app_now()))
    returning ${gatewayRefundColumns}`;
  return row ?? null;
}

/**
 * Has the provider asked soon about a payment's refunds: those that are open, or, where the provider says that less went back than is
 * booked, those that succeeded.
 */
export async function updateRefundsHurried(
  tx: Tx,
  payment: Tenant & { payment_session_id: string },
  which: "open" | "succeeded",
): Promise<void> {
  refundPollStates.check(["done"], "due");
  await sql(tx)`
    update gateway_refunds g set state = 'due', due_at = least(g.due_at, app_now()),
      asks = case when g.state = 'done' then 0 else g.asks end, updated_at = app_now()
    from refunds r
    where g.project_id = ${payment.project_id} and g.livemode = ${payment.livemode} and g.payment_session_id = ${payment.payment_session_id}
      and r.project_id = g.project_id and r.livemode = g.livemode and r.id = g.id
      and case when ${which === "open"} then g.state = 'due' and r.status in ('pending', 'requires_action', 'unknown')
        else g.state = 'done' and r.status = 'succeeded' end`;
}

/** Has refunds of orders that their buyers have to claim polled soon while someone has the page open, each at most once in a while. */
export async function updateClaimsWatched(db: Db, orders: readonly (Tenant & { id: string })[], given: { everyMs: number }): Promise<void> {
  if (orders.length === 0) return;
  await sql(db)`
    -- all tenants: each order names its own project and environment
    update gateway_refunds g set due_at = least(g.due_at, app_now())
    from ${givenKeys(db, orders)}
    join refunds r on r.project_id = key.project_id and r.livemode = key.livemode and r.order_id = key.id and r.status = 'requires_action'
    where g.project_id = r.project_id and g.livemode = r.livemode and g.id = r.id and g.state = 'due'
      and g.updated_at < app_now() - ${given.everyMs} * interval '1 millisecond'`;
}

/** How much of a payment was refunded through its provider, or may still be. */
export async function findRefundsOfPayment(db: Db, payment: GatewayPaymentRow): Promise<{ succeeded: number; open: number }> {
  const [row] = await sql(db)<{ succeeded: number; open: number }>`
    select coalesce(sum(r.amount_minor) filter (where r.status = 'succeeded'), 0)::bigint as succeeded,
      coalesce(sum(r.amount_minor) filter (where r.status in ('pending', 'requires_action', 'unknown')), 0)::bigint as open
    from gateway_refunds g
    join refunds r on r.project_id = g.project_id and r.livemode = g.livemode and r.id = g.id
    where g.project_id = ${payment.project_id} and g.livemode = ${payment.livemode}
      and g.payment_session_id = ${payment.payment_session_id}`;
  return row ?? { succeeded: 0, open: 0 };
}

/** The money of a payment that waits for a person because its provider first reported it as refunded, if not how much of it. */
export async function lockHeldRefunded(
  tx: Tx,
  payment: Tenant & { order_id: string; payment_session_id: string },
): Promise<ExceptionRow | null> {
  const [row] = await sql(tx)<ExceptionRow>`
    select ${exceptionColumns} from payment_exceptions
    where project_id = ${payment.project_id} and livemode = ${payment.livemode} and order_id = ${payment.order_id}
      and payment_session_id = ${payment.payment_session_id} and status = 'open' and transaction_id is not null
      and detail ->> 'reason' = 'refunded'
    order by id limit 1 for no key update`;
  return row ?? null;
}
