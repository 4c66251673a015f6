import type { Tenant, Tx } from "#platform/index.ts";
import {
  after,
  byKey,
  type ColumnsOf,
  columns,
  type Db,
  type Fragment,
  firstRow,
  givenRows,
  known,
  type Pipe,
  type Sent,
  send,
  sql,
} from "#platform/sql.ts";
import type { LinkRow, OrderBundle, OrderFlag, OrderRow, Rejection, SessionRow } from "../shapes.ts";
import { type OrderStatus, orderStates } from "../states.ts";
import { listCurrentFirst } from "./current-session.sql.ts";
import { givenKeys } from "./given-keys.sql.ts";

/** An order in a list: with its newest link and current session. */
export interface BundleRow extends OrderRow {
  link: LinkRow | null;
  session: SessionRow | null;
}

/** Further columns of an order's update; absent members stay. */
export interface OrderMove {
  from: readonly OrderStatus[];
  to: OrderStatus;
  addFlags?: OrderFlag[];
  dropFlags?: OrderFlag[];
  /** The total booked as its payment. */
  receivedMinor?: number;
  /** The total received for it that isn't its payment. */
  heldMinor?: number;
  failureCode?: string | null;
  rejection?: Rejection | null;
  expiresAt?: Date;
  /** The gateway of the money that pays it. */
  paidGateway?: string;
}

export const orderColumns: ColumnsOf<OrderRow> = columns(
  "orders",
  `
  project_id, livemode, id, reference, status, flags, version, amount_minor, currency, exponent, amount_received_minor,
  amount_refunded_minor, description, metadata, customer, return_url, locale, failure_code, rejection, expires_at, paid_at, failed_at,
  canceled_at, created_at, updated_at, paid_gateway, amount_held_minor, claimed_at, amount_refunding_minor, amount_disputed_minor`,
);

/** Locks orders of any tenants, always in the same order. Locked ones are skipped without waiting. */
export function lockFreeOrders<On extends Tx | Pipe>(tx: On, keys: readonly (Tenant & { id: string })[]): Sent<On, OrderRow[]> {
  if (keys.length === 0) return known(tx, []);
  return send(
    tx,
    sql(tx)<OrderRow>`
    -- all tenants: each key names its own project and environment
    select ${orderColumns.of("o")} from ${givenKeys(tx, keys)}
    join orders o on o.project_id = key.project_id and o.livemode = key.livemode and o.id = key.id
    order by o.project_id, o.livemode, o.id for no key update of o skip locked`,
    (rows) => rows,
  );
}

export function lockOrder<On extends Tx | Pipe>(tx: On, tenant: Tenant, id: string): Sent<On, OrderRow | null> {
  return send(
    tx,
    sql(tx)<OrderRow>`
    select ${orderColumns} from orders where project_id = ${tenant.project_id} and livemode = ${tenant.livemode}
      and id = ${id} for no key update`,
    firstRow,
  );
}

export async function findOrderRow(db: Db, tenant: Tenant, id: string): Promise<OrderRow | null> {
  const [row] = await byKey(db)<OrderRow>`
    select ${orderColumns} from orders where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and id = ${id}`;
  return row ?? null;
}

/** An order with its update, for `updateOrders`. */
export interface OrderMoving {
  order: Tenant & { id: string };
  move: OrderMove;
}

/**
 * Moves an order by compare-and-set and raises its version; null when its status was none of `from`. A move to the same status only changes
 * the rest.
 */
export function updateOrder<On extends Tx | Pipe>(tx: On, order: Tenant & { id: string }, move: OrderMove): Sent<On, OrderRow | null> {
  return after(tx, updateOrders(tx, [{ order, move }]), firstRow);
}

/** Like `updateOrder`, for orders of any tenants, each once; returns the updated ones. */
export function updateOrders<On extends Tx | Pipe>(tx: On, moving: readonly OrderMoving[]): Sent<On, OrderRow[]> {
  if (moving.length === 0) return known(tx, []);
  for (const { move } of moving) orderStates.check(move.from, move.to);
  return send(
    tx,
    sql(tx)<OrderRow>`
    -- all tenants: each move names its own project and environment
    update orders o set
      status = m.status, version = o.version + 1, updated_at = app_now(),
      flags = array(select distinct flag from unnest(o.flags || m.add_flags) as flag where flag <> all (m.drop_flags) order by flag),
      amount_received_minor = coalesce(m.received_minor, o.amount_received_minor),
      amount_held_minor = coalesce(m.held_minor, o.amount_held_minor),
      failure_code = case when m.fails then m.failure_code else o.failure_code end,
      rejection = case when m.rejects then m.rejection else o.rejection end,
      expires_at = coalesce(m.expires_at, o.expires_at),
      paid_at = case when m.status = 'paid' then coalesce(o.paid_at, app_now()) else o.paid_at end,
      paid_gateway = coalesce(m.paid_gateway, o.paid_gateway),
      failed_at = case when m.status in ('failed', 'expired') then app_now()
        when m.status in ('unpaid', 'pending_verify', 'paid') then null else o.failed_at end,
      canceled_at = case when m.status = 'canceled' then app_now() else o.canceled_at end
    from ${givenRows("m", moveColumns, moving.map(moveRow))}
    where o.project_id = m.project_id and o.livemode = m.livemode and o.id = m.id and o.status = any (m.from_status)
    returning ${orderColumns.of("o")}`,
    (rows) => rows,
  );
}

const moveColumns = {
  project_id: "text",
  livemode: "boolean",
  id: "text",
  from_status: "text[]",
  status: "text",
  add_flags: "text[]",
  drop_flags: "text[]",
  received_minor: "bigint",
  held_minor: "bigint",
  fails: "boolean",
  failure_code: "text",
  rejects: "boolean",
  rejection: "jsonb",
  expires_at: "timestamptz",
  paid_gateway: "text",
} as const;

function moveRow({ order, move }: OrderMoving): object {
  return {
    project_id: order.project_id,
    livemode: order.livemode,
    id: order.id,
    from_status: move.from,
    status: move.to,
    add_flags: move.addFlags ?? [],
    drop_flags: move.dropFlags ?? [],
    received_minor: move.receivedMinor,
    held_minor: move.heldMinor,
    fails: move.failureCode !== undefined,
    failure_code: move.failureCode,
    rejects: move.rejection !== undefined,
    rejection: move.rejection,
    expires_at: move.expiresAt,
    paid_gateway: move.paidGateway,
  };
}

/** Records a buyer's claim to have paid a canceled order; the first time counts. The order must be locked. */
export async function updateOrderClaimed(tx: Tx, order: Tenant & { id: string }): Promise<OrderRow> {
  const [row] = await sql(tx)<OrderRow>`
    update orders set claimed_at = coalesce(claimed_at, app_now()), version = version + 1, updated_at = app_now()
    where project_id = ${order.project_id} and livemode = ${order.livemode} and id = ${order.id} and status = 'canceled'
    returning ${orderColumns}`;
  if (row === undefined) throw new Error("a locked order changed under its lock");
  return row;
}

/** Withdraws a buyer's claim to have paid a canceled order. The order must be locked. */
export async function updateOrderUnclaimed(tx: Tx, order: Tenant & { id: string }): Promise<OrderRow> {
  const [row] = await sql(tx)<OrderRow>`
    update orders set claimed_at = null, version = version + 1, updated_at = app_now()
    where project_id = ${order.project_id} and livemode = ${order.livemode} and id = ${order.id} and claimed_at is not null
    returning ${orderColumns}`;
  if (row === undefined) throw new Error("a locked order changed under its lock");
  return row;
}

/** The merchant's descriptive data of an order, in any state; its money and status don't change. The order must be locked. */
export async function updateOrderDetails(
  tx: Tx,
  order: Tenant & { id: string },
  details: Pick<OrderRow, "description" | "metadata" | "customer">,
): Promise<OrderRow> {
  const [row] = await sql(tx)<OrderRow>`
    update orders set description = ${details.description}, metadata = ${sql(tx).json(details.metadata)}::jsonb,
      customer = ${sql(tx).json(details.customer)}::jsonb, version = version + 1, updated_at = app_now()
    where project_id = ${order.project_id} and livemode = ${order.livemode} and id = ${order.id}
    returning ${orderColumns}`;
  if (row === undefined) throw new Error("a locked order changed under its lock");
  return row;
}

/** The live order with a reference, if any. */
export async function findReferenceHolder(db: Db, tenant: Tenant, reference: string): Promise<string | null> {
  const [row] = await sql(db)<{ id: string }>`
    select id from orders
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and reference = ${reference}
      and status not in ('failed', 'expired', 'canceled')`;
  return row?.id ?? null;
}

/** Joins that find the newest link `l` and the current session `s` of each order `o` on a page. */
export function findNewestParts(db: Db): Fragment {
  return sql(db)`
    left join lateral (select row_to_json(l) as link from payment_links l
      where l.project_id = o.project_id and l.livemode = o.livemode and l.order_id = o.id
      order by l.id desc limit 1) l on true ${findCurrentSession(db)}`;
}

/** A join that finds the current session `s` of each order `o`. */
export function findCurrentSession(db: Db): Fragment {
  return sql(db)`
    left join lateral (select row_to_json(s) as session from payment_sessions s
      where s.project_id = o.project_id and s.livemode = o.livemode and s.order_id = o.id
      order by ${listCurrentFirst(db)} limit 1) s on true`;
}

/** Orders with link and latest session by id, for any tenants at once: concurrent reads are combined into one statement. */
export async function listBundles(db: Db, keys: readonly (Tenant & { id: string })[]): Promise<OrderBundle[]> {
  const rows = await sql(db)<BundleRow>`
    -- all tenants: each key names its own project and environment
    select ${orderColumns.of("o")}, l.link, s.session
    from ${givenKeys(db, keys)}
    join orders o on o.project_id = key.project_id and o.livemode = key.livemode and o.id = key.id ${findNewestParts(db)}`;
  return rows.map(bundleOf);
}

/** Splits a joined row; timestamps inside the two json columns become `Date` as everywhere else. */
export function bundleOf(row: BundleRow): OrderBundle {
  const { link, session } = row;
  return {
    order: orderOf(row),
    link: link === null ? null : withDates(link, ["revoked_at", "created_at"]),
    session: session === null ? null : withDates(session, sessionDates),
  };
}

/** Member by member: "all but two" would cost a page of orders a tenth of its time. */
function orderOf(row: OrderRow): OrderRow {
  return {
    project_id: row.project_id,
    livemode: row.livemode,
    id: row.id,
    reference: row.reference,
    status: row.status,
    flags: row.flags,
    version: row.version,
    amount_minor: row.amount_minor,
    currency: row.currency,
    exponent: row.exponent,
    amount_received_minor: row.amount_received_minor,
    amount_held_minor: row.amount_held_minor,
    amount_refunded_minor: row.amount_refunded_minor,
    amount_refunding_minor: row.amount_refunding_minor,
    amount_disputed_minor: row.amount_disputed_minor,
    description: row.description,
    metadata: row.metadata,
    customer: row.customer,
    return_url: row.return_url,
    locale: row.locale,
    failure_code: row.failure_code,
    rejection: row.rejection,
    expires_at: row.expires_at,
    paid_at: row.paid_at,
    failed_at: row.failed_at,
    canceled_at: row.canceled_at,
    claimed_at: row.claimed_at,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

const sessionDates = ["expires_at", "reported_at", "verified_at", "created_at", "updated_at"] as const;

/** Converts the timestamps of a row that was read as JSON. */
export function withDates<Row extends object>(row: Row, names: readonly (keyof Row)[]): Row {
  for (const name of names) {
    const value = row[name];
    if (typeof value === "string") row[name] = new Date(value) as Row[typeof name];
  }
  return row;
}
