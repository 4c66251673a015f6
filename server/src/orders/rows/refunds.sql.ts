import type { Tenant, Tx } from "#platform/index.ts";
import { byKey, type ColumnsOf, columns, type Db, type Fragment, listEnd, type PageCut, type Rows, sql } from "#platform/sql.ts";
import type { RefundRow } from "../shapes.ts";
import { type RefundStatus, refundStates } from "../states.ts";

const refundColumns: ColumnsOf<RefundRow> = columns(
  "refunds",
  `
  project_id, livemode, id, order_id, payment_session_id, exception_id, gateway, method, status, amount_minor, currency, reason, note,
  channel, paid_back_by, paid_back_at, external_transaction_id, asset_id, gateway_refund_id, next_action, failure_code, failure_note,
  transaction_id, created_by, version, succeeded_at, failed_at, created_at, updated_at`,
);

/** Writes a refund; its order counts it in the same statement, and the database refuses more than the order received. */
export async function insertRefund(tx: Tx, row: RefundRow): Promise<RefundRow> {
  const [made] = await sql(tx)<RefundRow>`
    insert into refunds (project_id, livemode, id, order_id, payment_session_id, exception_id, gateway, method, status, amount_minor,
      currency, reason, note, channel, paid_back_by, paid_back_at, external_transaction_id, asset_id, gateway_refund_id, next_action,
      transaction_id, created_by, succeeded_at, created_at, updated_at)
    values (${row.project_id}, ${row.livemode}, ${row.id}, ${row.order_id}, ${row.payment_session_id}, ${row.exception_id}, ${row.gateway},
      ${row.method}, ${row.status}, ${row.amount_minor}, ${row.currency}, ${row.reason}, ${row.note}, ${row.channel}, ${row.paid_back_by},
      ${row.paid_back_at}, ${row.external_transaction_id}, ${row.asset_id}, ${row.gateway_refund_id},
      ${row.next_action === null ? null : sql(tx).json(row.next_action)}, ${row.transaction_id}, ${row.created_by}, ${row.succeeded_at},
      ${row.created_at}, ${row.updated_at})
    returning ${refundColumns}`;
  if (made === undefined) throw new Error("refund not inserted");
  return made;
}

export async function findRefundRow(db: Db, tenant: Tenant, id: string): Promise<RefundRow | null> {
  const [row] = await byKey(db)<RefundRow>`
    select ${refundColumns} from refunds where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and id = ${id}`;
  return row ?? null;
}

/** A refund, locked until commit. Its order and its exception come first. */
export async function lockRefund(tx: Tx, tenant: Tenant, id: string): Promise<RefundRow | null> {
  const [row] = await sql(tx)<RefundRow>`
    select ${refundColumns} from refunds where project_id = ${tenant.project_id} and livemode = ${tenant.livemode}
      and id = ${id} for no key update`;
  return row ?? null;
}

/** Ends a refund as failed, by compare-and-set; null if its status was none of `from`. Its order no longer counts it. */
export async function updateRefundFailed(
  tx: Tx,
  refund: Tenant & { id: string },
  given: { from: readonly RefundStatus[]; code: string; note: string | null },
): Promise<RefundRow | null> {
  refundStates.check(given.from, "failed");
  const [row] = await sql(tx)<RefundRow>`
    update refunds set status = 'failed', failure_code = ${given.code}, failure_note = ${given.note}, next_action = null,
      failed_at = app_now(), version = version + 1, updated_at = app_now()
    where project_id = ${refund.project_id} and livemode = ${refund.livemode} and id = ${refund.id} and status = any (${given.from}::text[])
    returning ${refundColumns}`;
  return row ?? null;
}

/** Updates a refund that its provider hasn't ended, by compare-and-set; null if its status was none of `from`. */
export async function updateRefundInProgress(
  tx: Tx,
  refund: Tenant & { id: string },
  given: {
    from: readonly RefundStatus[];
    to: "pending" | "requires_action" | "unknown";
    nextAction: RefundRow["next_action"];
    gatewayRefundId: string | null;
  },
): Promise<RefundRow | null> {
  refundStates.check(given.from, given.to);
  const [row] = await sql(tx)<RefundRow>`
    update refunds set status = ${given.to}, next_action = ${given.nextAction === null ? null : sql(tx).json(given.nextAction)}::jsonb,
      gateway_refund_id = coalesce(gateway_refund_id, ${given.gatewayRefundId}), version = version + 1, updated_at = app_now()
    where project_id = ${refund.project_id} and livemode = ${refund.livemode} and id = ${refund.id} and status = any (${given.from}::text[])
    returning ${refundColumns}`;
  return row ?? null;
}

/** Ends a refund as successful, by compare-and-set; null if its status was none of `from`. It is already booked. */
export async function updateRefundSucceeded(
  tx: Tx,
  refund: Tenant & { id: string },
  given: { from: readonly RefundStatus[]; amountMinor: number; transactionId: string; gatewayRefundId: string | null },
): Promise<RefundRow | null> {
  refundStates.check(given.from, "succeeded");
  const [row] = await sql(tx)<RefundRow>`
    update refunds set status = 'succeeded', amount_minor = ${given.amountMinor}, transaction_id = ${given.transactionId},
      next_action = null, gateway_refund_id = coalesce(gateway_refund_id, ${given.gatewayRefundId}), succeeded_at = app_now(),
      version = version + 1, updated_at = app_now()
    where project_id = ${refund.project_id} and livemode = ${refund.livemode} and id = ${refund.id} and status = any (${given.from}::text[])
    returning ${refundColumns}`;
  return row ?? null;
}

/** Refunds of orders, including those of their exceptions, newest first. */
export async function listRefundsOfOrders(db: Db, tenant: Tenant, orderIds: string[]): Promise<RefundRow[]> {
  return sql(db)<RefundRow>`
    select ${refundColumns} from refunds
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and order_id = any (${orderIds}::text[]) order by id desc`;
}

/** Refunded and refunding amounts of an order's payments, by gateway. */
export async function listRefundedByGateway(db: Db, order: Tenant & { id: string }): Promise<{ gateway: string; total: number }[]> {
  return sql(db)<{ gateway: string; total: number }>`
    select gateway, sum(amount_minor)::bigint as total from refunds
    where project_id = ${order.project_id} and livemode = ${order.livemode} and order_id = ${order.id} and exception_id is null
      and status <> 'failed'
    group by gateway`;
}

/** Like `listRefundedByGateway`, by payment session. */
export async function listRefundedBySession(
  db: Db,
  order: Tenant & { id: string },
): Promise<{ payment_session_id: string; total: number }[]> {
  return sql(db)<{ payment_session_id: string; total: number }>`
    select payment_session_id, sum(amount_minor)::bigint as total from refunds
    where project_id = ${order.project_id} and livemode = ${order.livemode} and order_id = ${order.id} and exception_id is null
      and status <> 'failed' and payment_session_id is not null
    group by payment_session_id`;
}

/** Refunded and refunding amounts of all money of a payment: the order's, and that of exceptions. */
export async function findBackOfPayment(db: Db, payment: Tenant & { order_id: string; payment_session_id: string }): Promise<number> {
  const [row] = await sql(db)<{ total: number }>`
    select coalesce(sum(amount_minor), 0)::bigint as total from refunds
    where project_id = ${payment.project_id} and livemode = ${payment.livemode} and order_id = ${payment.order_id}
      and payment_session_id = ${payment.payment_session_id} and status <> 'failed'`;
  return row?.total ?? 0;
}

/**
 * The amount of a payment that its provider refunded for the merchant when requested in a period, here or there. A refund that waited was
 * requested when it was last requested: one that an earlier request had made is found, and not requested again.
 */
export async function findRefundedBetween(
  db: Db,
  payment: Tenant & { order_id: string; payment_session_id: string },
  given: { since: Date; until: Date; currency: string },
): Promise<number> {
  const [row] = await sql(db)<{ total: number }>`
    select coalesce(sum(r.amount_minor), 0)::bigint as total from refunds r
    left join gateway_refunds g on g.project_id = r.project_id and g.livemode = r.livemode and g.id = r.id
    where r.project_id = ${payment.project_id} and r.livemode = ${payment.livemode} and r.order_id = ${payment.order_id}
      and r.payment_session_id = ${payment.payment_session_id} and r.status = 'succeeded' and r.currency = ${given.currency}
      and coalesce(r.paid_back_at, g.requested_at, r.created_at) between ${given.since} and ${given.until}
      and (r.method = 'gateway' or r.gateway_refund_id is not null)`;
  return row?.total ?? 0;
}

/** Refunds of an order's payment and its excess that haven't failed. */
export async function listEffectiveRefunds(db: Db, order: Tenant & { id: string }): Promise<string[]> {
  const rows = await sql(db)<{ id: string }>`
    select r.id from refunds r
    left join payment_exceptions e on e.project_id = r.project_id and e.livemode = r.livemode and e.id = r.exception_id
    where r.project_id = ${order.project_id} and r.livemode = ${order.livemode} and r.order_id = ${order.id} and r.status <> 'failed'
      and (r.exception_id is null or e.kind = 'overpaid')
    order by r.id`;
  return rows.map((row) => row.id);
}

export interface RefundFilters {
  status?: string[];
  gateway?: string[];
  currency?: string[];
  order_id?: string;
  created_gte?: Date;
  created_gt?: Date;
  created_lte?: Date;
  created_lt?: Date;
}

export function listRefundRows(
  db: Db,
  tenant: Tenant,
  given: { filters: RefundFilters; cut: PageCut | null },
): PromiseLike<Rows<RefundRow>> & Fragment {
  return sql(db)<RefundRow>`
    select ${refundColumns} from refunds
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} ${filtersOf(db, given.filters)}
      ${listEnd(db, sql(db)`id`, given.cut)}`;
}

function filtersOf(db: Db, filters: RefundFilters): Fragment {
  const tag = sql(db);
  return tag`
    ${filters.status === undefined ? tag`` : tag`and status = any (${filters.status}::text[])`}
    ${filters.gateway === undefined ? tag`` : tag`and gateway = any (${filters.gateway}::text[])`}
    ${filters.currency === undefined ? tag`` : tag`and currency = any (${filters.currency}::text[])`}
    ${filters.order_id === undefined ? tag`` : tag`and order_id = ${filters.order_id}`}
    ${filters.created_gte === undefined ? tag`` : tag`and created_at >= ${filters.created_gte}`}
    ${filters.created_gt === undefined ? tag`` : tag`and created_at > ${filters.created_gt}`}
    ${filters.created_lte === undefined ? tag`` : tag`and created_at <= ${filters.created_lte}`}
    ${filters.created_lt === undefined ? tag`` : tag`and created_at < ${filters.created_lt}`}`;
}
