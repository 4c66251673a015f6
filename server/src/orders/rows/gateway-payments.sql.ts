import type { PaymentSnapshot } from "#gateways/index.ts";
import type { Tenant, Tx } from "#platform/index.ts";
import {
  after,
  byKey,
  type ColumnsOf,
  columns,
  type Db,
  firstRow,
  givenRows,
  known,
  type Pipe,
  type Sent,
  send,
  sql,
} from "#platform/sql.ts";
import type { GatewayPaymentRow } from "../shapes.ts";
import { type GatewayPaymentStatus, gatewayPaymentStates } from "../states.ts";
import { givenKeys } from "./given-keys.sql.ts";

export const gatewayPaymentColumns: ColumnsOf<GatewayPaymentRow> = columns(
  "gateway_payments",
  `
  project_id, livemode, id, payment_session_id, order_id, gateway, credential_id, status, provider_id, earlier_ids, capture_id,
  provider_state, settled_id, paid_minor, paid_currency, paid_at, fee_minor, fee_currency, failure_code, failure_message, exception_id,
  opened_at, action_expires_at, asks, silent_asks, looks, watched_until, title, locale, link_id, page_query,
  created_at, updated_at`,
);

type NewGatewayPayment = Pick<
  GatewayPaymentRow,
  | "project_id"
  | "livemode"
  | "id"
  | "payment_session_id"
  | "order_id"
  | "gateway"
  | "credential_id"
  | "title"
  | "locale"
  | "link_id"
  | "page_query"
>;

/** Stores that a payment is about to be requested, so that it is polled if the response is lost. */
export function insertGatewayPayment<On extends Tx | Pipe>(
  tx: On,
  row: NewGatewayPayment,
  pollAfterMs: number,
): Sent<On, GatewayPaymentRow> {
  return send(
    tx,
    sql(tx)<GatewayPaymentRow>`
    insert into gateway_payments (project_id, livemode, id, payment_session_id, order_id, gateway, credential_id,
      title, locale, link_id, page_query, due_at, created_at, updated_at)
    values (${row.project_id}, ${row.livemode}, ${row.id}, ${row.payment_session_id}, ${row.order_id}, ${row.gateway}, ${row.credential_id},
      ${row.title}, ${row.locale}, ${row.link_id}, ${row.page_query}, app_now() + ${pollAfterMs} * interval '1 millisecond',
      app_now(), app_now())
    returning ${gatewayPaymentColumns}`,
    ([made]) => made as GatewayPaymentRow,
  );
}

export async function findGatewayPayment(db: Db, tenant: Tenant, sessionId: string): Promise<GatewayPaymentRow | null> {
  const [row] = await byKey(db)<GatewayPaymentRow>`
    select ${gatewayPaymentColumns} from gateway_payments
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and payment_session_id = ${sessionId}`;
  return row ?? null;
}

/** The payments of sessions at their providers, newest first; sessions without one are omitted. */
export async function listGatewayPaymentRows(db: Db, tenant: Tenant, sessionIds: readonly string[]): Promise<GatewayPaymentRow[]> {
  return sql(db)<GatewayPaymentRow>`
    select ${gatewayPaymentColumns} from gateway_payments
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and payment_session_id = any (${sessionIds}::text[])
    order by id desc`;
}

/** How many payments of these accounts are open and can still pay an order; counts no further than one. */
export async function countOpenPayments(db: Db, tenant: Tenant, credentialIds: readonly string[]): Promise<number> {
  const [row] = await sql(db)<{ total: number }>`
    select count(*) as total from (
      select from gateway_payments
      where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and credential_id = any (${credentialIds}::text[])
        and status <> 'done'
      limit 1) open`;
  return row?.total ?? 0;
}

export function lockGatewayPayment<On extends Tx | Pipe>(tx: On, tenant: Tenant, sessionId: string): Sent<On, GatewayPaymentRow | null> {
  return send(
    tx,
    sql(tx)<GatewayPaymentRow>`
    select ${gatewayPaymentColumns} from gateway_payments
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and payment_session_id = ${sessionId} for no key update`,
    firstRow,
  );
}

/** Locks the payments of sessions, of any tenants. Locked ones are skipped without waiting. */
export function lockFreeGatewayPayments<On extends Tx | Pipe>(
  tx: On,
  sessions: readonly (Tenant & { id: string })[],
): Sent<On, GatewayPaymentRow[]> {
  if (sessions.length === 0) return known(tx, []);
  return send(
    tx,
    sql(tx)<GatewayPaymentRow>`
    -- all tenants: each key names its own project and environment
    select ${gatewayPaymentColumns.of("g")} from ${givenKeys(tx, sessions)}
    join gateway_payments g on g.project_id = key.project_id and g.livemode = key.livemode and g.payment_session_id = key.id
    order by g.project_id, g.livemode, g.payment_session_id for no key update of g skip locked`,
    (rows) => rows,
  );
}

/** Changes of a payment at its provider; absent members stay. */
export interface GatewayPaymentMove {
  from: readonly GatewayPaymentStatus[];
  to: GatewayPaymentStatus;
  reported?: PaymentSnapshot;
  settledId?: string;
  exceptionId?: string;
  /** The buyer can pay it now, until this time. */
  opened?: { until: Date | null };
  failure?: { code: string; message: string };
  /** When it is polled next, from now, unless someone has its page open. */
  pollAfterMs?: number;
}

/** Updates a payment by compare-and-set; null if its status was none of `from`. One that is done is no longer polled. */
export function updateGatewayPayment(
  tx: Tx,
  payment: Tenant & { id: string },
  move: GatewayPaymentMove,
): Promise<GatewayPaymentRow | null> {
  return after(tx, updateGatewayPayments(tx, [{ payment, move }]), firstRow);
}

/** Like `updateGatewayPayment`, for payments of any tenants, each once; returns the updated ones. */
function updateGatewayPayments<On extends Tx | Pipe>(
  tx: On,
  moving: readonly { payment: Tenant & { id: string }; move: GatewayPaymentMove }[],
): Sent<On, GatewayPaymentRow[]> {
  return send(
    tx,
    sql(tx)<GatewayPaymentRow>`
    -- all tenants: each move names its own project and environment
    update gateway_payments g set status = m.status, updated_at = app_now(),
      provider_id = coalesce(m.provider_id, g.provider_id), capture_id = coalesce(m.capture_id, g.capture_id),
      earlier_ids = case when m.provider_id <> g.provider_id and array_position(g.earlier_ids, g.provider_id) is null
        then array_append(g.earlier_ids, g.provider_id) else g.earlier_ids end,
      provider_state = coalesce(m.provider_state, g.provider_state), settled_id = coalesce(g.settled_id, m.settled_id),
      paid_minor = coalesce(m.paid_minor, g.paid_minor), paid_currency = coalesce(m.paid_currency, g.paid_currency),
      paid_at = coalesce(m.paid_at, g.paid_at), fee_minor = coalesce(m.fee_minor, g.fee_minor),
      fee_currency = coalesce(m.fee_currency, g.fee_currency), failure_code = coalesce(m.failure_code, g.failure_code),
      failure_message = coalesce(m.failure_message, g.failure_message), exception_id = coalesce(m.exception_id, g.exception_id),
      opened_at = case when m.opens then coalesce(g.opened_at, app_now()) else g.opened_at end,
      action_expires_at = case when m.opens then m.opened_until else g.action_expires_at end,
      due_at = case when g.state = 'due' and coalesce(g.watched_until <= app_now(), true)
        then coalesce(app_now() + m.ask_after_ms * interval '1 millisecond', g.due_at) else g.due_at end,
      lease = case when m.status = 'done' then null else g.lease end,
      lease_until = case when m.status = 'done' then null else g.lease_until end,
      state = case when m.status = 'done' then 'done' else g.state end
    from ${givenRows("m", moveColumns, moving.map(moveRow))}
    where g.project_id = m.project_id and g.livemode = m.livemode and g.id = m.id and g.status = any (m.from_status)
    returning ${gatewayPaymentColumns.of("g")}`,
    (rows) => rows,
  );
}

const moveColumns = {
  project_id: "text",
  livemode: "boolean",
  id: "text",
  from_status: "text[]",
  status: "text",
  provider_id: "text",
  capture_id: "text",
  provider_state: "text",
  settled_id: "text",
  paid_minor: "bigint",
  paid_currency: "text",
  paid_at: "timestamptz",
  fee_minor: "bigint",
  fee_currency: "text",
  failure_code: "text",
  failure_message: "text",
  exception_id: "text",
  opens: "boolean",
  opened_until: "timestamptz",
  ask_after_ms: "bigint",
} as const;

function moveRow({ payment, move }: { payment: Tenant & { id: string }; move: GatewayPaymentMove }): object {
  const { from, to, reported, opened, failure = reported?.failure } = move;
  gatewayPaymentStates.check(from, to);
  return {
    project_id: payment.project_id,
    livemode: payment.livemode,
    id: payment.id,
    from_status: from,
    status: to,
    provider_id: reported?.providerId,
    capture_id: reported?.captureId,
    provider_state: reported?.providerState,
    settled_id: move.settledId,
    paid_minor: reported?.paid?.amount_minor,
    paid_currency: reported?.paid?.currency,
    paid_at: reported?.paidAt,
    fee_minor: reported?.fee?.amount_minor,
    fee_currency: reported?.fee?.currency,
    failure_code: failure?.code,
    failure_message: failure?.message,
    exception_id: move.exceptionId,
    opens: opened !== undefined,
    opened_until: opened?.until,
    ask_after_ms: move.pollAfterMs,
  };
}

/** A locked payment with its update. */
export interface LockedMoving {
  payment: GatewayPaymentRow;
  move: Omit<GatewayPaymentMove, "from">;
}

/** Like `updateGatewayPayment`, for a payment that is locked as given. */
export function updateLockedGatewayPayment<On extends Tx | Pipe>(
  tx: On,
  payment: GatewayPaymentRow,
  move: LockedMoving["move"],
): Sent<On, GatewayPaymentRow> {
  return after(tx, updateLockedGatewayPayments(tx, [{ payment, move }]), ([moved]) => moved as GatewayPaymentRow);
}

/** Like `updateLockedGatewayPayment`, for payments of any tenants, each once. */
export function updateLockedGatewayPayments<On extends Tx | Pipe>(tx: On, moving: readonly LockedMoving[]): Sent<On, GatewayPaymentRow[]> {
  if (moving.length === 0) return known(tx, []);
  const moves = moving.map(({ payment, move }) => ({ payment, move: { ...move, from: [payment.status] } }));
  return after(tx, updateGatewayPayments(tx, moves), (moved) => {
    if (moved.length < moving.length) throw new Error("a locked payment changed under its lock");
    return moved;
  });
}

/** Someone waits for payments: from now on for `durationMs`, polled first after `firstMs`. */
interface Watch {
  durationMs: number;
  firstMs: number;
}

/**
 * Has the open payments of orders polled while someone has the page open: right away if no page was open before. One that is being
 * requested keeps its own time, because its provider may not know it yet.
 */
export async function updateWatched(db: Db, orders: readonly (Tenant & { id: string })[], given: Watch): Promise<void> {
  if (orders.length === 0) return;
  await sql(db)`
    -- all tenants: each order names its own project and environment
    update gateway_payments g set watched_until = app_now() + ${given.durationMs} * interval '1 millisecond',
      looks = case when g.watched_until > app_now() then g.looks else 0 end,
      due_at = case when g.watched_until > app_now() or g.state <> 'due' then g.due_at
        else least(g.due_at, app_now() + ${given.firstMs} * interval '1 millisecond') end
    from ${givenKeys(db, orders)}
    where g.project_id = key.project_id and g.livemode = key.livemode and g.order_id = key.id and g.status not in ('creating', 'done')
      and (g.watched_until is null or g.watched_until < app_now() + ${given.durationMs / 2} * interval '1 millisecond')`;
}

/**
 * Has the payments of orders polled right away, and as often as those of a page that was just opened, because their buyers say that they
 * paid; at most once in `everyMs`, however often they say so. An open page never watches longer than `durationMs`, so a time beyond that
 * shows when this last happened.
 */
export async function updateWatchRestarted(
  db: Db,
  orders: readonly (Tenant & { id: string })[],
  given: Watch & { everyMs: number },
): Promise<void> {
  if (orders.length === 0) return;
  await sql(db)`
    -- all tenants: each order names its own project and environment
    update gateway_payments g set watched_until = app_now() + ${given.durationMs + given.everyMs} * interval '1 millisecond', looks = 0,
      due_at = case when g.state <> 'due' then g.due_at
        else least(g.due_at, app_now() + ${given.firstMs} * interval '1 millisecond') end
    from ${givenKeys(db, orders)}
    where g.project_id = key.project_id and g.livemode = key.livemode and g.order_id = key.id and g.status <> 'done'
      and (g.watched_until is null or g.watched_until <= app_now() + ${given.durationMs} * interval '1 millisecond')`;
}
