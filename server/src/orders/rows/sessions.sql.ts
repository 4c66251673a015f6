import type { Tenant, Tx } from "#platform/index.ts";
import { byKey, type ColumnsOf, columns, type Db, firstRow, type Pipe, type Sent, send, sql } from "#platform/sql.ts";
import type { SessionRow } from "../shapes.ts";
import { canMoveSession, type SessionStatus } from "../states.ts";

/** What a move of a session writes besides its status; absent members stay as they are. */
export interface SessionMove {
  from: readonly SessionStatus[];
  to: SessionStatus;
  reported?: boolean;
  /** The buyer took the report back. */
  unreported?: boolean;
  verified?: boolean;
  reviewedBy?: string;
  failureCode?: string;
}

const sessionColumns: ColumnsOf<SessionRow> = columns(
  "payment_sessions",
  `
  project_id, livemode, id, order_id, gateway, channel, status, amount_minor, payable_amount_minor, currency, profile_id, qr_payload, qr_asset_id,
  payee_name, instructions, matching_mode, remark_code, expires_at, reported_at, verified_at, reviewed_by, failure_code, created_at, updated_at,
  asking_id, flags`,
);

export function insertSession<On extends Tx | Pipe>(tx: On, row: SessionRow): Sent<On, SessionRow> {
  return send(
    tx,
    sql(tx)<SessionRow>`
    insert into payment_sessions (project_id, livemode, id, order_id, gateway, channel, status, amount_minor, payable_amount_minor, currency,
      profile_id, qr_payload, qr_asset_id, payee_name, instructions, matching_mode, remark_code, asking_id, flags, expires_at, reported_at, created_at,
      updated_at)
    values (${row.project_id}, ${row.livemode}, ${row.id}, ${row.order_id}, ${row.gateway}, ${row.channel}, ${row.status}, ${row.amount_minor},
      ${row.payable_amount_minor}, ${row.currency}, ${row.profile_id}, ${row.qr_payload}, ${row.qr_asset_id}, ${row.payee_name},
      ${sql(tx).json(row.instructions)}, ${row.matching_mode}, ${row.remark_code}, ${row.asking_id}, ${row.flags}, ${row.expires_at}, ${row.reported_at},
      ${row.created_at}, ${row.updated_at})
    returning ${sessionColumns}`,
    ([made]) => {
      if (made === undefined) throw new Error("session not inserted");
      return made;
    },
  );
}

export function findSession<On extends Db | Pipe>(db: On, tenant: Tenant, id: string): Sent<On, SessionRow | null> {
  return send(
    db,
    byKey(db)<SessionRow>`
    select ${sessionColumns} from payment_sessions where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and id = ${id}`,
    firstRow,
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

export function findLatestSession<On extends Db | Pipe>(db: On, tenant: Tenant, orderId: string): Sent<On, SessionRow | null> {
  return send(
    db,
    sql(db)<SessionRow>`
    select ${sessionColumns} from payment_sessions
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and order_id = ${orderId} order by id desc limit 1`,
    firstRow,
  );
}

/** The newest session by a gateway. */
export async function findLatestSessionOf(db: Db, tenant: Tenant, given: { orderId: string; gateway: string }): Promise<SessionRow | null> {
  const [row] = await sql(db)<SessionRow>`
    select ${sessionColumns} from payment_sessions
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and order_id = ${given.orderId} and gateway = ${given.gateway}
    order by id desc limit 1`;
  return row ?? null;
}

/** Through which gateways payments of an order were started. */
export async function listGatewaysOfOrder(db: Db, tenant: Tenant, orderId: string): Promise<string[]> {
  const rows = await sql(db)<{ gateway: string }>`
    select distinct gateway from payment_sessions
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and order_id = ${orderId}`;
  return rows.map((row) => row.gateway);
}

/** The newest session by a gateway that was canceled for another one and still has time. */
export async function findCanceledSession(db: Db, tenant: Tenant, given: { orderId: string; gateway: string }): Promise<SessionRow | null> {
  const [row] = await sql(db)<SessionRow>`
    select ${sessionColumns} from payment_sessions
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and order_id = ${given.orderId} and gateway = ${given.gateway}
      and status = 'canceled' and expires_at > app_now()
    order by id desc limit 1`;
  return row ?? null;
}

export async function listSessionRows(db: Db, tenant: Tenant, orderIds: string[]): Promise<SessionRow[]> {
  return sql(db)<SessionRow>`
    select ${sessionColumns} from payment_sessions
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and order_id = any (${orderIds}::text[]) order by id desc`;
}

/** Moves a session by compare-and-set; null when its status was none of `from`. */
export function updateSession<On extends Tx | Pipe>(tx: On, session: Tenant & { id: string }, move: SessionMove): Sent<On, SessionRow | null> {
  const { to } = move;
  const illegal = move.from.find((from) => from !== to && !canMoveSession(from, to));
  if (illegal !== undefined) throw new Error(`no payment session moves from ${illegal} to ${to}`);
  return send(
    tx,
    sql(tx)<SessionRow>`
    update payment_sessions set status = ${to}, updated_at = app_now(),
      reported_at = case when ${move.unreported ?? false} then null when ${move.reported ?? false} then coalesce(reported_at, app_now()) else reported_at end,
      verified_at = case when ${move.verified ?? false} then app_now() else verified_at end,
      reviewed_by = coalesce(${move.reviewedBy ?? null}, reviewed_by),
      failure_code = case when ${to} = 'succeeded' then null else coalesce(${move.failureCode ?? null}, failure_code) end
    where project_id = ${session.project_id} and livemode = ${session.livemode} and id = ${session.id} and status = any (${[...move.from]}::text[])
    returning ${sessionColumns}`,
    firstRow,
  );
}

/** Ends every open session of an order but one; answers them as they now are. */
export function updateOpenSessions<On extends Tx | Pipe>(
  tx: On,
  tenant: Tenant,
  given: { orderId: string; to: "canceled" | "expired"; except: string | null },
): Sent<On, SessionRow[]> {
  return send(
    tx,
    sql(tx)<SessionRow>`
    update payment_sessions set status = ${given.to}, updated_at = app_now()
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and order_id = ${given.orderId}
      and status in ('pending', 'processing', 'pending_verify') and id is distinct from ${given.except}
    returning ${sessionColumns}`,
    (rows) => rows,
  );
}

/** Ends sessions past their time that nobody reported a payment on. */
export async function updateDueSessions(tx: Tx, limit: number): Promise<number> {
  const rows = await sql(tx)`
    -- all tenants: the expiry loop takes whatever is due
    update payment_sessions set status = 'expired', updated_at = app_now() where (project_id, livemode, id) in (
      select project_id, livemode, id from payment_sessions where status = 'pending' and expires_at <= app_now()
      order by expires_at limit ${limit} for update skip locked)`;
  return rows.count;
}
