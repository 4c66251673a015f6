import type { PaymentSnapshot } from "#gateways/index.ts";
import type { Tenant, Tx } from "#platform/index.ts";
import { byKey, type ColumnsOf, columns, type Db, sql } from "#platform/sql.ts";
import type { GatewayPaymentRow } from "../shapes.ts";
import { type GatewayPaymentStatus, gatewayPaymentStates } from "../states.ts";
import { givenKeys } from "./given-keys.sql.ts";

export const gatewayPaymentColumns: ColumnsOf<GatewayPaymentRow> = columns(
  "gateway_payments",
  `
  project_id, livemode, id, payment_session_id, order_id, gateway, credential_id, status, provider_id, capture_id, provider_state, settled_id, paid_minor,
  paid_currency, paid_at, fee_minor, fee_currency, failure_code, failure_message, exception_id, opened_at, action_expires_at, asks, looks, watched_until,
  created_at, updated_at`,
);

type NewGatewayPayment = Pick<GatewayPaymentRow, "project_id" | "livemode" | "id" | "payment_session_id" | "order_id" | "gateway" | "credential_id">;

/** Writes down that a payment is about to be asked for, so that it is asked after should nobody hear the answer. */
export async function insertGatewayPayment(tx: Tx, row: NewGatewayPayment, askAfterMs: number): Promise<GatewayPaymentRow> {
  const [made] = await sql(tx)<GatewayPaymentRow>`
    insert into gateway_payments (project_id, livemode, id, payment_session_id, order_id, gateway, credential_id, due_at, created_at, updated_at)
    values (${row.project_id}, ${row.livemode}, ${row.id}, ${row.payment_session_id}, ${row.order_id}, ${row.gateway}, ${row.credential_id},
      app_now() + ${askAfterMs} * interval '1 millisecond', app_now(), app_now())
    returning ${gatewayPaymentColumns}`;
  return made as GatewayPaymentRow;
}

export async function findGatewayPayment(db: Db, tenant: Tenant, sessionId: string): Promise<GatewayPaymentRow | null> {
  const [row] = await byKey(db)<GatewayPaymentRow>`
    select ${gatewayPaymentColumns} from gateway_payments
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and payment_session_id = ${sessionId}`;
  return row ?? null;
}

/** A payment by the id that its provider gave it. */
export async function findGatewayPaymentAt(db: Db, tenant: Tenant, given: { credentialId: string; providerId: string }): Promise<GatewayPaymentRow | null> {
  const [row] = await sql(db)<GatewayPaymentRow>`
    select ${gatewayPaymentColumns} from gateway_payments
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and credential_id = ${given.credentialId} and provider_id = ${given.providerId}
    order by id desc limit 1`;
  return row ?? null;
}

/** Which accounts payments of this reference, or of this id at the provider, are paid to: whose callback it can be. */
export async function listCredentialsOfPayment(
  db: Db,
  given: { gateway: string; reference: string | null; providerId: string | null },
): Promise<(Tenant & { credential_id: string })[]> {
  return sql(db)<Tenant & { credential_id: string }>`
    -- all tenants: a callback says nothing but which payment it is about
    select distinct project_id, livemode, credential_id from gateway_payments
    where gateway = ${given.gateway} and (payment_session_id = ${given.reference} or provider_id = ${given.providerId}) limit 3`;
}

export async function lockGatewayPayment(tx: Tx, tenant: Tenant, sessionId: string): Promise<GatewayPaymentRow | null> {
  const [row] = await sql(tx)<GatewayPaymentRow>`
    select ${gatewayPaymentColumns} from gateway_payments
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and payment_session_id = ${sessionId} for no key update`;
  return row ?? null;
}

/** What changes of a payment at its provider; absent members stay as they are. */
export interface GatewayPaymentMove {
  from: readonly GatewayPaymentStatus[];
  to: GatewayPaymentStatus;
  told?: PaymentSnapshot;
  settledId?: string;
  exceptionId?: string;
  /** The buyer has a way to pay it now, which works until then. */
  opened?: { until: Date | null };
  failure?: { code: string; message: string };
  /** When it is asked after next, from now, unless somebody looks at its page. */
  askAfterMs?: number;
}

/** Moves a payment by compare-and-set; null when its status was none of `from`. One that is done is asked after no more. */
export async function updateGatewayPayment(tx: Tx, payment: Tenant & { id: string }, move: GatewayPaymentMove): Promise<GatewayPaymentRow | null> {
  const { from, to, told, opened, failure = told?.failure ?? null, askAfterMs = null } = move;
  gatewayPaymentStates.check(from, to);
  const [row] = await sql(tx)<GatewayPaymentRow>`
    update gateway_payments set status = ${to}, updated_at = app_now(),
      provider_id = coalesce(${told?.providerId ?? null}, provider_id), capture_id = coalesce(${told?.captureId ?? null}, capture_id),
      provider_state = coalesce(${told?.providerState ?? null}, provider_state), settled_id = coalesce(settled_id, ${move.settledId ?? null}),
      paid_minor = coalesce(${told?.paid?.amount_minor ?? null}, paid_minor), paid_currency = coalesce(${told?.paid?.currency ?? null}, paid_currency),
      paid_at = coalesce(${told?.paidAt ?? null}, paid_at),
      fee_minor = coalesce(${told?.fee?.amount_minor ?? null}, fee_minor), fee_currency = coalesce(${told?.fee?.currency ?? null}, fee_currency),
      failure_code = coalesce(${failure?.code ?? null}, failure_code), failure_message = coalesce(${failure?.message ?? null}, failure_message),
      exception_id = coalesce(${move.exceptionId ?? null}, exception_id),
      opened_at = case when ${opened !== undefined} then coalesce(opened_at, app_now()) else opened_at end,
      action_expires_at = case when ${opened !== undefined} then ${opened?.until ?? null}::timestamptz else action_expires_at end,
      due_at = case when state = 'due' and coalesce(watched_until <= app_now(), true) then coalesce(app_now() + ${askAfterMs}::bigint * interval '1 millisecond', due_at) else due_at end,
      lease = case when ${to} = 'done' then null else lease end, lease_until = case when ${to} = 'done' then null else lease_until end,
      state = case when ${to} = 'done' then 'done' else state end
    where project_id = ${payment.project_id} and livemode = ${payment.livemode} and id = ${payment.id} and status = any (${from}::text[])
    returning ${gatewayPaymentColumns}`;
  return row ?? null;
}

/** As `updateGatewayPayment`, of a payment that is locked as it is given. */
export async function updateLockedGatewayPayment(tx: Tx, payment: GatewayPaymentRow, move: Omit<GatewayPaymentMove, "from">): Promise<GatewayPaymentRow> {
  const moved = await updateGatewayPayment(tx, payment, { ...move, from: [payment.status] });
  if (moved === null) throw new Error("a locked payment changed under its lock");
  return moved;
}

/** Has the open payments of orders asked after while somebody looks: at once where nobody looked before. */
export async function updateWatched(db: Db, orders: readonly (Tenant & { id: string })[], given: { forMs: number; firstMs: number }): Promise<void> {
  if (orders.length === 0) return;
  await sql(db)`
    -- all tenants: each order names its own project and environment
    update gateway_payments g set watched_until = app_now() + ${given.forMs} * interval '1 millisecond',
      looks = case when g.watched_until > app_now() then g.looks else 0 end,
      due_at = case when g.watched_until > app_now() or g.state <> 'due' then g.due_at
        else least(g.due_at, app_now() + ${given.firstMs} * interval '1 millisecond') end
    from ${givenKeys(db, orders)}
    where g.project_id = key.project_id and g.livemode = key.livemode and g.order_id = key.id and g.status <> 'done'
      and (g.watched_until is null or g.watched_until < app_now() + ${given.forMs / 2} * interval '1 millisecond')`;
}

/** The newest payment by a gateway for an order of this reference. */
export async function findPaymentOfReference(db: Db, tenant: Tenant, given: { gateway: string; reference: string }): Promise<GatewayPaymentRow | null> {
  const [row] = await sql(db)<GatewayPaymentRow>`
    select ${gatewayPaymentColumns.of("g")} from orders o
    join payment_sessions s on s.project_id = o.project_id and s.livemode = o.livemode and s.order_id = o.id
    join gateway_payments g on g.project_id = s.project_id and g.livemode = s.livemode and g.payment_session_id = s.id
    where o.project_id = ${tenant.project_id} and o.livemode = ${tenant.livemode} and o.reference = ${given.reference} and g.gateway = ${given.gateway}
    order by g.id desc limit 1`;
  return row ?? null;
}
