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
import type { GatewayData } from "../method-shapes.ts";
import type { SessionRow } from "../shapes.ts";
import { type SessionStatus, sessionStates } from "../states.ts";
import { listCurrentFirst } from "./current-session.sql.ts";
import { givenKeys } from "./given-keys.sql.ts";

/** A session that still waits for its payment. */
const openStates = ["pending", "processing", "pending_verify"] as const satisfies readonly SessionStatus[];

/** Further columns of a session's update; absent members stay. */
export interface SessionMove {
  from: readonly SessionStatus[];
  to: SessionStatus;
  reported?: boolean;
  /** The buyer withdrew the report. */
  unreported?: boolean;
  verified?: boolean;
  reviewedBy?: string;
  failureCode?: string;
}

const sessionColumns: ColumnsOf<SessionRow> = columns(
  "payment_sessions",
  `
  project_id, livemode, id, order_id, gateway, method, method_data, account, channel, status, amount_minor, payable_amount_minor, currency,
  profile_id, qr_payload, qr_asset_id, payee_name, instructions, matching_mode, remark_code, expires_at, reported_at, verified_at,
  reviewed_by, failure_code, created_at, updated_at, asking_id, flags`,
);

export function insertSession<On extends Tx | Pipe>(tx: On, row: SessionRow): Sent<On, SessionRow> {
  return after(tx, insertSessions(tx, [row]), ([made]) => {
    if (made === undefined) throw new Error("session not inserted");
    return made;
  });
}

/** Writes sessions of any tenants; returns them as stored. */
export function insertSessions<On extends Tx | Pipe>(tx: On, rows: readonly SessionRow[]): Sent<On, SessionRow[]> {
  if (rows.length === 0) return known(tx, []);
  return send(
    tx,
    sql(tx)<SessionRow>`
    insert into payment_sessions (project_id, livemode, id, order_id, gateway, method, method_data, account, channel, status, amount_minor,
      payable_amount_minor, currency, profile_id, qr_payload, qr_asset_id, payee_name, instructions, matching_mode, remark_code, asking_id,
      flags, expires_at, reported_at, created_at, updated_at)
    select project_id, livemode, id, order_id, gateway, method, method_data, account, channel, status, amount_minor, payable_amount_minor,
      currency, profile_id, qr_payload, qr_asset_id, payee_name, instructions, matching_mode, remark_code, asking_id, flags, expires_at,
      reported_at, created_at, updated_at
    from jsonb_to_recordset(${sql(tx).json(rows)}) as given (project_id text, livemode boolean, id text, order_id text, gateway text,
      method text, method_data jsonb, account text, channel text, status text, amount_minor bigint, payable_amount_minor bigint,
      currency text, profile_id text, qr_payload text, qr_asset_id text, payee_name text, instructions jsonb, matching_mode text,
      remark_code text, asking_id text, flags text[], expires_at timestamptz,
      reported_at timestamptz, created_at timestamptz, updated_at timestamptz)
    returning ${sessionColumns}`,
    (made) => made,
  );
}

export function findSession<On extends Db | Pipe>(db: On, tenant: Tenant, id: string): Sent<On, SessionRow | null> {
  return send(
    db,
    byKey(db)<SessionRow>`
    select ${sessionColumns} from payment_sessions where project_id = ${tenant.project_id} and livemode = ${tenant.livemode}
      and id = ${id}`,
    firstRow,
  );
}

/** All payment sessions of orders of any tenants, each order's current one first. */
export function listSessionsOfOrders<On extends Db | Pipe>(db: On, orders: readonly (Tenant & { id: string })[]): Sent<On, SessionRow[]> {
  if (orders.length === 0) return known(db, []);
  return send(
    db,
    sql(db)<SessionRow>`
    -- all tenants: each key names its own project and environment
    select ${sessionColumns.of("s")} from ${givenKeys(db, orders)}
    join payment_sessions s on s.project_id = key.project_id and s.livemode = key.livemode and s.order_id = key.id
    order by ${listCurrentFirst(db)}`,
    (rows) => rows,
  );
}

export function lockOpenSession<On extends Tx | Pipe>(tx: On, tenant: Tenant, orderId: string): Sent<On, SessionRow | null> {
  return send(
    tx,
    sql(tx)<SessionRow>`
    select ${sessionColumns} from payment_sessions
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and order_id = ${orderId}
      and status in ('pending', 'processing', 'pending_verify') for no key update`,
    firstRow,
  );
}

/** The current session of an order: the open one, otherwise the one that changed last. */
export function findLatestSession<On extends Db | Pipe>(db: On, tenant: Tenant, orderId: string): Sent<On, SessionRow | null> {
  return send(
    db,
    sql(db)<SessionRow>`
    select ${sessionColumns.of("s")} from payment_sessions s
    where s.project_id = ${tenant.project_id} and s.livemode = ${tenant.livemode} and s.order_id = ${orderId}
    order by ${listCurrentFirst(db)} limit 1`,
    firstRow,
  );
}

/** An order's current session of a gateway; one that was asked for `at` a time comes first. */
export async function findLatestSessionOf(
  db: Db,
  tenant: Tenant,
  given: { orderId: string; gateway: string; at?: Date },
): Promise<SessionRow | null> {
  const at = given.at ?? null;
  const [row] = await sql(db)<SessionRow>`
    select ${sessionColumns.of("s")} from payment_sessions s
    left join askings a on a.project_id = s.project_id and a.livemode = s.livemode and a.id = s.asking_id
    where s.project_id = ${tenant.project_id} and s.livemode = ${tenant.livemode} and s.order_id = ${given.orderId}
      and s.gateway = ${given.gateway}
    order by ${at}::timestamptz >= a.asked_from - interval '5 minutes' and ${at}::timestamptz < a.held_until desc nulls last,
      ${listCurrentFirst(db)} limit 1`;
  return row ?? null;
}

/** The newest session of a gateway that was canceled for another one and hasn't expired. */
export async function findCanceledSession(db: Db, tenant: Tenant, given: { orderId: string; gateway: string }): Promise<SessionRow | null> {
  const [row] = await sql(db)<SessionRow>`
    select ${sessionColumns} from payment_sessions
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and order_id = ${given.orderId} and gateway = ${given.gateway}
      and status = 'canceled' and expires_at > app_now()
    order by id desc limit 1`;
  return row ?? null;
}

/** The payment sessions of orders, each order's current one first. */
export async function listSessionRows(db: Db, tenant: Tenant, orderIds: string[]): Promise<SessionRow[]> {
  return sql(db)<SessionRow>`
    select ${sessionColumns.of("s")} from payment_sessions s
    where s.project_id = ${tenant.project_id} and s.livemode = ${tenant.livemode} and s.order_id = any (${orderIds}::text[])
    order by ${listCurrentFirst(db)}`;
}

/** A session with its update, for `updateSessions`. */
export interface SessionMoving {
  session: Tenant & { id: string };
  move: SessionMove;
}

/** Updates a session by compare-and-set; null if its status was none of `from`. */
export function updateSession<On extends Tx | Pipe>(
  tx: On,
  session: Tenant & { id: string },
  move: SessionMove,
): Sent<On, SessionRow | null> {
  return after(tx, updateSessions(tx, [{ session, move }]), firstRow);
}

/** Like `updateSession`, for sessions of any tenants, each once; returns the updated ones. */
export function updateSessions<On extends Tx | Pipe>(tx: On, moving: readonly SessionMoving[]): Sent<On, SessionRow[]> {
  if (moving.length === 0) return known(tx, []);
  return send(
    tx,
    sql(tx)<SessionRow>`
    -- all tenants: each move names its own project and environment
    update payment_sessions s set status = m.status, updated_at = app_now(),
      reported_at = case when m.unreported then null when m.reported then coalesce(s.reported_at, app_now()) else s.reported_at end,
      verified_at = case when m.verified then app_now() else s.verified_at end,
      reviewed_by = coalesce(m.reviewed_by, s.reviewed_by),
      failure_code = case when m.status = 'succeeded' then null else coalesce(m.failure_code, s.failure_code) end
    from ${givenRows("m", moveColumns, moving.map(moveRow))}
    where s.project_id = m.project_id and s.livemode = m.livemode and s.id = m.id and s.status = any (m.from_status)
    returning ${sessionColumns.of("s")}`,
    (rows) => rows,
  );
}

const moveColumns = {
  project_id: "text",
  livemode: "boolean",
  id: "text",
  from_status: "text[]",
  status: "text",
  reported: "boolean",
  unreported: "boolean",
  verified: "boolean",
  reviewed_by: "text",
  failure_code: "text",
} as const;

function moveRow({ session, move }: SessionMoving): object {
  sessionStates.check(move.from, move.to);
  return {
    project_id: session.project_id,
    livemode: session.livemode,
    id: session.id,
    from_status: move.from,
    status: move.to,
    reported: move.reported ?? false,
    unreported: move.unreported ?? false,
    verified: move.verified ?? false,
    reviewed_by: move.reviewedBy,
    failure_code: move.failureCode,
  };
}

/** Which of an order's sessions end, and how. */
export interface SessionsClosing {
  order: Tenant & { id: string };
  from: readonly SessionStatus[];
  to: "canceled" | "expired";
  except: string | null;
}

/** Ends every open session of an order but one. */
export function updateOpenSessions<On extends Tx | Pipe>(
  tx: On,
  tenant: Tenant,
  given: { orderId: string; to: "canceled" | "expired"; except: string | null },
): Sent<On, void> {
  const { orderId, to, except } = given;
  return updateSessionsOfOrders(tx, [{ order: { ...tenant, id: orderId }, from: openStates, to, except }]);
}

const closingColumns = {
  project_id: "text",
  livemode: "boolean",
  order_id: "text",
  from_status: "text[]",
  status: "text",
  keep: "text",
} as const;

/** Like `updateOpenSessions`, for orders of any tenants, each once. */
export function updateSessionsOfOrders<On extends Tx | Pipe>(tx: On, closing: readonly SessionsClosing[]): Sent<On, void> {
  if (closing.length === 0) return known(tx, undefined);
  for (const { from, to } of closing) sessionStates.check(from, to);
  const rows = closing.map(({ order, from, to, except }) => ({
    project_id: order.project_id,
    livemode: order.livemode,
    order_id: order.id,
    from_status: from,
    status: to,
    keep: except,
  }));
  return send(
    tx,
    sql(tx)`
    -- all tenants: each order names its own project and environment
    update payment_sessions s set status = c.status, updated_at = app_now()
    from ${givenRows("c", closingColumns, rows)}
    where s.project_id = c.project_id and s.livemode = c.livemode and s.order_id = c.order_id
      and s.status = any (c.from_status) and s.id is distinct from c.keep`,
    () => {},
  );
}

/** Writes the buyer's next step of an open session. */
export function updateSessionData<On extends Tx | Pipe>(tx: On, session: Tenant & { id: string }, data: GatewayData): Sent<On, SessionRow> {
  return send(
    tx,
    sql(tx)<SessionRow>`
    update payment_sessions set method_data = ${sql(tx).json(data)}::jsonb, updated_at = app_now()
    where project_id = ${session.project_id} and livemode = ${session.livemode} and id = ${session.id} and status = 'pending'
    returning ${sessionColumns}`,
    ([row]) => {
      if (row === undefined) throw new Error("a session changed under its order's lock");
      return row;
    },
  );
}
