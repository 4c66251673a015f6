import type { Tenant, Tx } from "#platform/index.ts";
import {
  after,
  byKey,
  type ColumnsOf,
  columns,
  type Db,
  type Fragment,
  firstRow,
  known,
  listEnd,
  type PageCut,
  type Pipe,
  type Rows,
  type Sent,
  send,
  sql,
} from "#platform/sql.ts";
import type { ExceptionRow, ShownException } from "../shapes.ts";
import { givenKeys } from "./given-keys.sql.ts";

/** An open exception, as it's inserted. */
export type NewException = Omit<
  ExceptionRow,
  "status" | "resolution" | "resolution_note" | "resolved_order_id" | "resolved_by" | "resolved_at" | "version" | "updated_at"
>;

export const exceptionColumns: ColumnsOf<ExceptionRow> = columns(
  "payment_exceptions",
  `
  project_id, livemode, id, kind, status, order_id, payment_session_id, receipt_id, gateway, external_id, amount_minor, currency,
  transaction_id, detail, resolution, resolution_note, resolved_order_id, resolved_by, resolved_at, version, created_at, updated_at`,
);

export function insertException<On extends Tx | Pipe>(tx: On, row: NewException): Sent<On, ExceptionRow> {
  return after(tx, insertExceptions(tx, [row]), ([made]) => {
    if (made === undefined) throw new Error("exception not inserted");
    return made;
  });
}

/** Opens exceptions of any tenants. */
export function insertExceptions<On extends Tx | Pipe>(tx: On, rows: readonly NewException[]): Sent<On, ExceptionRow[]> {
  if (rows.length === 0) return known(tx, []);
  return send(
    tx,
    sql(tx)<ExceptionRow>`
    insert into payment_exceptions (project_id, livemode, id, kind, order_id, payment_session_id, receipt_id, gateway, external_id,
      amount_minor, currency, transaction_id, detail, created_at, updated_at)
    select project_id, livemode, id, kind, order_id, payment_session_id, receipt_id, gateway, external_id, amount_minor, currency,
      transaction_id, detail, created_at, created_at
    from jsonb_to_recordset(${sql(tx).json(rows)}) as given (project_id text, livemode boolean, id text, kind text, order_id text,
      payment_session_id text, receipt_id text, gateway text, external_id text, amount_minor bigint, currency text, transaction_id text,
      detail jsonb, created_at timestamptz)
    returning ${exceptionColumns}`,
    (made) => made,
  );
}

export async function findException(db: Db, tenant: Tenant, id: string): Promise<ShownException | null> {
  const [row] = await byKey(db)<ShownException>`
    select ${exceptionColumns.of("e")}, ${referenceOf(db)} from payment_exceptions e
    where e.project_id = ${tenant.project_id} and e.livemode = ${tenant.livemode} and e.id = ${id}`;
  return row ?? null;
}

/** The project of a receipt's exception: that of its order, which may be another one of the merchant than the receipt's. */
export async function findExceptionTenant(db: Db, receipt: { merchant_id: string; livemode: boolean }, id: string): Promise<Tenant | null> {
  const [row] = await sql(db)<Tenant>`
    -- all tenants: a receipt of an account may be another project's than the order that it names
    select e.project_id, e.livemode from payment_exceptions e join projects p on p.id = e.project_id
    where p.merchant_id = ${receipt.merchant_id} and e.livemode = ${receipt.livemode} and e.id = ${id}`;
  return row ?? null;
}

/** Those of these exceptions that belong to the project. */
export async function listOwnExceptions(db: Db, tenant: Tenant, ids: string[]): Promise<ExceptionRow[]> {
  return await sql(db)<ExceptionRow>`
    select ${exceptionColumns} from payment_exceptions
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and id = any (${ids}::text[])`;
}

/** A lookup per displayed row, by the order's key. */
function referenceOf(db: Db): Fragment {
  return sql(db)`
    (select o.reference from orders o where o.project_id = e.project_id and o.livemode = e.livemode and o.id = e.order_id) as reference`;
}

export async function lockException(tx: Tx, tenant: Tenant, id: string): Promise<ExceptionRow | null> {
  const [row] = await sql(tx)<ExceptionRow>`
    select ${exceptionColumns} from payment_exceptions
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and id = ${id} for no key update`;
  return row ?? null;
}

/** Open exceptions that hold part payments of an order; they are applied when the rest arrives. */
export function lockHeldParts<On extends Tx | Pipe>(tx: On, tenant: Tenant, orderId: string): Sent<On, ExceptionRow[]> {
  return lockPartsOfOrders(tx, [{ ...tenant, id: orderId }]);
}

/** Like `lockHeldParts`, for orders of any tenants, always locked in the same order. */
export function lockPartsOfOrders<On extends Tx | Pipe>(tx: On, orders: readonly (Tenant & { id: string })[]): Sent<On, ExceptionRow[]> {
  if (orders.length === 0) return known(tx, []);
  return send(
    tx,
    sql(tx)<ExceptionRow>`
    -- all tenants: each key names its own project and environment
    select ${exceptionColumns.of("e")} from ${givenKeys(tx, orders)}
    join payment_exceptions e on e.project_id = key.project_id and e.livemode = key.livemode and e.order_id = key.id
    where e.kind = 'underpaid' and e.status = 'open'
    order by e.project_id, e.livemode, e.id for no key update of e`,
    (rows) => rows,
  );
}

/** Exceptions with excess money of an order that still exists: held, or kept as the merchant's income. */
export async function lockExcess(tx: Tx, order: Tenant & { id: string }): Promise<ExceptionRow[]> {
  return sql(tx)<ExceptionRow>`
    select ${exceptionColumns} from payment_exceptions
    where project_id = ${order.project_id} and livemode = ${order.livemode} and order_id = ${order.id} and kind = 'overpaid'
      and (status = 'open' or resolution in ('ignore', 'accept'))
    order by id for no key update`;
}

/** The amount of an order's money in open exceptions. */
export async function findHeldMinor(db: Db, tenant: Tenant, orderId: string): Promise<number> {
  const [row] = await sql(db)<{ total: number }>`
    select coalesce(sum(amount_minor), 0)::bigint as total from payment_exceptions
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and order_id = ${orderId} and status = 'open'
      and transaction_id is not null`;
  return row?.total ?? 0;
}

/**
 * Open exceptions that hold one amount of a receipt since a moment, which a reviewer may be approving: those of the order, or with the
 * number that the reviewer entered (`typed`), as it was entered or in comparable form.
 */
export async function lockHeldReceipts(
  tx: Tx,
  order: Tenant & { id: string },
  given: { gateway: string; amountMinor: number; currency: string; since: Date; typed: { number: string; key: string | null } | null },
): Promise<ExceptionRow[]> {
  const { typed } = given;
  return sql(tx)<ExceptionRow>`
    select ${exceptionColumns.of("e")} from payment_exceptions e
    join received_payments r on r.project_id = e.project_id and r.livemode = e.livemode and r.gateway = e.gateway
      and r.external_id = e.external_id
    where e.project_id = ${order.project_id} and e.livemode = ${order.livemode} and e.status = 'open' and e.kind in ('unmatched', 'late')
      and e.gateway = ${given.gateway} and e.amount_minor = ${given.amountMinor} and e.currency = ${given.currency}
      and e.receipt_id is not null and r.occurred_at >= ${given.since}
      and (e.order_id = ${order.id} or e.order_id is null and ${typed !== null})
      and (${typed === null} or e.external_id = ${typed?.number ?? null} or r.external_key = ${typed?.key ?? null})
    order by e.id limit 20 for no key update of e`;
}

export function updateExceptionResolved<On extends Tx | Pipe>(
  tx: On,
  exception: Tenant & { id: string },
  given: { resolution: "accept" | "refund" | "ignore" | "applied"; note: string | null; orderId: string | null; by: string },
): Sent<On, ExceptionRow | null> {
  return send(
    tx,
    sql(tx)<ExceptionRow>`
    update payment_exceptions set status = 'resolved', resolution = ${given.resolution}, resolution_note = ${given.note},
      resolved_order_id = ${given.orderId}, resolved_by = ${given.by}, resolved_at = app_now(),
      version = version + 1, updated_at = app_now()
    where project_id = ${exception.project_id} and livemode = ${exception.livemode} and id = ${exception.id} and status = 'open'
    returning ${exceptionColumns}`,
    firstRow,
  );
}

/** The order of a part payment was canceled: from now on this is money for a canceled order. */
export function updateExceptionOrphaned<On extends Tx | Pipe>(tx: On, exception: Tenant & { id: string }): Sent<On, ExceptionRow> {
  return send(
    tx,
    sql(tx)<ExceptionRow>`
    update payment_exceptions set kind = 'late', detail = detail || '{"reason": "order_canceled"}'::jsonb,
      version = version + 1, updated_at = app_now()
    where project_id = ${exception.project_id} and livemode = ${exception.livemode} and id = ${exception.id} and status = 'open'
    returning ${exceptionColumns}`,
    ([row]) => {
      if (row === undefined) throw new Error("a locked exception changed under its lock");
      return row;
    },
  );
}

/** Closes an exception whose money was taken back out of the books, also one that left it there, or was decided otherwise (`from`). */
export async function updateExceptionReleased(
  tx: Tx,
  exception: Tenant & { id: string },
  given: { note: string | null; by: string; from?: ("ignore" | "accept")[] },
): Promise<ExceptionRow | null> {
  const [row] = await sql(tx)<ExceptionRow>`
    update payment_exceptions set status = 'resolved', resolution = 'released', resolution_note = coalesce(${given.note}, resolution_note),
      resolved_by = ${given.by}, resolved_at = app_now(), version = version + 1, updated_at = app_now()
    where project_id = ${exception.project_id} and livemode = ${exception.livemode} and id = ${exception.id}
      and (status = 'open' or resolution = any (${given.from ?? ["ignore"]}::text[]))
    returning ${exceptionColumns}`;
  return row ?? null;
}

/** Opens an exception again whose money wasn't refunded after all: another transfer holds it since. */
export async function updateExceptionReopened(
  tx: Tx,
  exception: Tenant & { id: string },
  given: { kind: ExceptionRow["kind"]; transactionId: string },
): Promise<ExceptionRow> {
  const [row] = await sql(tx)<ExceptionRow>`
    update payment_exceptions set status = 'open', kind = ${given.kind}, transaction_id = ${given.transactionId}, resolution = null,
      resolution_note = null, resolved_order_id = null, resolved_by = null, resolved_at = null,
      version = version + 1, updated_at = app_now()
    where project_id = ${exception.project_id} and livemode = ${exception.livemode} and id = ${exception.id} and resolution = 'refund'
    returning ${exceptionColumns}`;
  if (row === undefined) throw new Error("an exception whose money went back was resolved in another way");
  return row;
}

/** Exceptions about a payment at its provider that were opened for one reason and aren't explained yet. */
export async function listFindings(
  db: Db,
  payment: Tenant & { order_id: string; payment_session_id: string },
  reason: string,
): Promise<ExceptionRow[]> {
  return sql(db)<ExceptionRow>`
    select ${exceptionColumns} from payment_exceptions
    where project_id = ${payment.project_id} and livemode = ${payment.livemode} and order_id = ${payment.order_id}
      and payment_session_id = ${payment.payment_session_id} and transaction_id is null and detail ->> 'reason' = ${reason}
      and resolution is distinct from 'released'
    order by id`;
}

/** Writes the details of an open exception; it holds no money. */
export async function updateFindingDetail(tx: Tx, exception: Tenant & { id: string }, detail: object): Promise<ExceptionRow> {
  const [row] = await sql(tx)<ExceptionRow>`
    update payment_exceptions set detail = ${sql(tx).json(detail)}::jsonb, version = version + 1, updated_at = app_now()
    where project_id = ${exception.project_id} and livemode = ${exception.livemode} and id = ${exception.id} and status = 'open'
      and transaction_id is null
    returning ${exceptionColumns}`;
  if (row === undefined) throw new Error("a locked exception changed under its lock");
  return row;
}

/** Gives an exception that only had a total the reference of what it is about. */
export async function updateFindingNamed(tx: Tx, exception: Tenant & { id: string }, externalId: string): Promise<void> {
  await sql(tx)`
    update payment_exceptions set external_id = ${externalId}, version = version + 1, updated_at = app_now()
    where project_id = ${exception.project_id} and livemode = ${exception.livemode} and id = ${exception.id} and transaction_id is null`;
}

/** How often an order was paid again by money that is still booked. */
export async function countDuplicates(db: Db, tenant: Tenant, orderId: string): Promise<number> {
  const [row] = await sql(db)<{ total: number }>`
    select count(*) as total from payment_exceptions
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and order_id = ${orderId} and kind = 'duplicate'
      and (status = 'open' or resolution is distinct from 'released')`;
  return row?.total ?? 0;
}

export interface ExceptionFilters {
  status?: string[];
  kind?: string[];
  gateway?: string[];
  currency?: string[];
  order_id?: string;
  created_gte?: Date;
  created_gt?: Date;
  created_lte?: Date;
  created_lt?: Date;
}

export function listExceptionRows(
  db: Db,
  tenant: Tenant,
  given: { filters: ExceptionFilters; cut: PageCut | null },
): PromiseLike<Rows<ShownException>> & Fragment {
  return sql(db)<ShownException>`
    select ${exceptionColumns.of("e")}, ${referenceOf(db)} from payment_exceptions e
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} ${filtersOf(db, given.filters)}
      ${listEnd(db, sql(db)`id`, given.cut)}`;
}

function filtersOf(db: Db, filters: ExceptionFilters): Fragment {
  const tag = sql(db);
  return tag`
    ${filters.status === undefined ? tag`` : tag`and status = any (${filters.status}::text[])`}
    ${filters.kind === undefined ? tag`` : tag`and kind = any (${filters.kind}::text[])`}
    ${filters.gateway === undefined ? tag`` : tag`and gateway = any (${filters.gateway}::text[])`}
    ${filters.currency === undefined ? tag`` : tag`and currency = any (${filters.currency}::text[])`}
    ${filters.order_id === undefined ? tag`` : tag`and order_id = ${filters.order_id}`}
    ${filters.created_gte === undefined ? tag`` : tag`and created_at >= ${filters.created_gte}`}
    ${filters.created_gt === undefined ? tag`` : tag`and created_at > ${filters.created_gt}`}
    ${filters.created_lte === undefined ? tag`` : tag`and created_at <= ${filters.created_lte}`}
    ${filters.created_lt === undefined ? tag`` : tag`and created_at < ${filters.created_lt}`}`;
}
