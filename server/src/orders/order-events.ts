import type { NewEvent } from "#events/index.ts";
import type { Transaction } from "#ledger/index.ts";
import { isoOf } from "#platform/index.ts";
import type { DisputeRow } from "./dispute-row.ts";
import type { ExceptionRow, OrderRow, RefundRow, SessionRow, VoucherRow } from "./shapes.ts";

/** An order's events that carry what only `payments:read` can read: a transaction, an exception, a refund or a dispute. */
export const paymentsReadEvents: readonly string[] = [
  "transaction.completed",
  "payment.exception",
  "refund.succeeded",
  "refund.failed",
  "dispute.opened",
  "dispute.won",
  "dispute.lost",
];

/** The order as every event has it; `failed_at` and `failure_code` are added once the order failed, expired or was canceled. */
export function orderCore(order: OrderRow): object {
  const { id, reference, status, amount_minor, currency, metadata, flags, version } = order;
  const core = { id, reference, status, amount_minor, currency, metadata, paid_at: isoOf(order.paid_at), flags, version };
  return order.failure_code === null
    ? core
    : { ...core, failure_code: order.failure_code, failed_at: order.failed_at ?? order.canceled_at ?? order.updated_at };
}

export function sessionCore(session: SessionRow): object {
  const { id, gateway, method, status, amount_minor, payable_amount_minor, currency, failure_code } = session;
  return { id, gateway, method, status, amount_minor, payable_amount_minor, currency, failure_code };
}

/** An event about an order: `more` is added to its data. */
export function orderEvent(event: string, order: OrderRow, more: object = {}): NewEvent {
  return { event, object_id: order.id, data: { order: orderCore(order), ...more } };
}

/** `order.failed` together with its opt-in counterpart, if there is one: for failed, expired and canceled orders. */
export function failureEvents(order: OrderRow): NewEvent[] {
  const events = [orderEvent("order.failed", order)];
  return order.status === "expired" ? [...events, orderEvent("order.expired", order)] : events;
}

export function sessionEvent(event: string, order: OrderRow, session: SessionRow): NewEvent {
  return orderEvent(event, order, { payment_session: sessionCore(session) });
}

export function pendingVerifyEvent(order: OrderRow, session: SessionRow, voucher: VoucherRow | null): NewEvent {
  return orderEvent("order.payment_pending_verify", order, {
    payment_session: sessionCore(session),
    voucher: voucher === null ? null : voucherCore(voucher),
  });
}

export function exceptionEvent(exception: ExceptionRow, order: OrderRow | null): NewEvent {
  const { id, kind, status, gateway, amount_minor, currency, order_id, receipt_id, detail, resolution } = exception;
  const data = { payment_exception: { id, kind, status, gateway, amount_minor, currency, order_id, receipt_id, detail, resolution } };
  return { event: "payment.exception", object_id: order_id ?? id, data: order === null ? data : { order: orderCore(order), ...data } };
}

/**
 * Every booked transfer is reported, including those that release or keep held money, so that the events add up to the wallet's balance.
 */
export function transactionEvent(transaction: Transaction, order: OrderRow | null, objectId = order?.id ?? transaction.id): NewEvent {
  const data = { transaction, order: order === null ? null : orderCore(order) };
  return { event: "transaction.completed", object_id: objectId, data };
}

export function refundEvent(event: "refund.succeeded" | "refund.failed", refund: RefundRow, order: OrderRow | null): NewEvent {
  const { id, status, method, gateway, amount_minor, currency, order_id, exception_id, payment_session_id, reason, note, ...rest } = refund;
  const { channel, paid_back_at, external_transaction_id, gateway_refund_id, failure_code, transaction_id, created_at } = rest;
  const what = { id, status, method, gateway, amount_minor, currency, order_id, exception_id, payment_session_id, reason, note };
  const how = { channel, paid_back_at, external_transaction_id, gateway_refund_id, failure_code, transaction_id, created_at };
  return { event, object_id: order?.id ?? id, data: { refund: { ...what, ...how }, order: order === null ? null : orderCore(order) } };
}

export function disputeEvent(
  event: "dispute.opened" | "dispute.won" | "dispute.lost",
  dispute: DisputeRow,
  order: OrderRow | null,
): NewEvent {
  const { id, status, gateway, amount_minor, currency, order_id, payment_session_id, provider_dispute_id, reason, ...rest } = dispute;
  const { fee_minor, fee_currency, in_books, transaction_id, exception_id, told_at, created_at } = rest;
  const what = { id, order_id, payment_session_id, gateway, provider_dispute_id, status, amount_minor, currency, reason };
  const books = { in_books, fee_minor, fee_currency, transaction_id, payment_exception_id: exception_id, told_at, created_at };
  return { event, object_id: order?.id ?? id, data: { dispute: { ...what, ...books }, order: order === null ? null : orderCore(order) } };
}

function voucherCore(voucher: VoucherRow): object {
  const { id, status, transaction_reference, payer_name, asset_id, risk_flags, created_at } = voucher;
  return { id, status, transaction_reference, payer_name, asset_id, risk_flags, created_at };
}
