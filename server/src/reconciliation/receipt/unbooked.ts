import { lockReceipt, type ReceiptRow, updateReceipt } from "#collection/index.ts";
import {
  type ExceptionRow,
  type Forgiveness,
  findLatestSessionOf,
  isEarlierId,
  lockGatewayPayment,
  lockPieces,
  type OrderRow,
  orderErrors,
  type Settled,
  settle,
  updateLockedGatewayPayment,
} from "#orders/index.ts";
import { type Ctx, platformErrors, type Tx } from "#platform/index.ts";
import { bookReceipt } from "./settle-receipt.ts";
import { findReceiptTenant } from "./sql.ts";

/** Assigns an exception's unbooked money to an order: it is booked now, through the settle path. The order is locked. */
export async function payFromReceipt(
  tx: Tx,
  ctx: Ctx,
  given: { exception: ExceptionRow; order: OrderRow | null; forgives: Forgiveness },
): Promise<Settled> {
  const { exception, order, forgives } = given;
  if (order === null)
    throw platformErrors.parameter_missing({ param: "order_id", reason: "order_needed", message: "Send the order this money is for." });
  if (exception.receipt_id === null) return payUnproven(tx, ctx, { ...given, order });
  if (order.status === "canceled") throw orderErrors.order_state_conflict({ fields: { status: order.status } });
  const receipt = await lockOf(tx, exception);
  const place = { orderId: order.id, gateway: exception.gateway, at: receipt.occurred_at };
  const session_id = (await findLatestSessionOf(tx, order, place))?.id ?? null;
  return (await bookReceipt(tx, ctx, { receipt, target: { order, session_id }, source: "link", forgives })).settled;
}

/** Exceptions about a payment's own money, which the provider may still report. */
const ofOwnMoney: readonly unknown[] = ["outcome_unknown", "listed_unsettled"];

/**
 * What isn't booked yet of an exception's money, under its number: what was paid in addition stays in the books when the rest of a payment
 * is reversed. Throws order_state_conflict if the provider has reported the money since, and parameter_conflict for another order than the
 * payment's.
 */
async function findUnbooked(
  tx: Tx,
  { exception, order }: { exception: ExceptionRow; order: OrderRow },
): Promise<Pick<ExceptionRow, "external_id" | "amount_minor">> {
  const { id, order_id, payment_session_id, external_id, amount_minor, currency, detail } = exception;
  if (payment_session_id === null || !ofOwnMoney.includes(detail["reason"])) return { external_id, amount_minor };
  if (order.id !== order_id) {
    const message = "This payment belongs to its own order. Accept it there, then reverse it to assign its money to another order.";
    throw platformErrors.parameter_conflict({ param: "order_id", reason: "already_counted", message });
  }
  const payment = await lockGatewayPayment(tx, order, payment_session_id);
  const number = payment?.settled_id ?? null;
  if (payment === null || number === null) return { external_id, amount_minor };
  const pieces = await lockPieces(tx, order, { gateway: payment.gateway, number });
  const restMinor = pieces.reduce((rest, piece) => rest - (piece.currency === currency ? piece.amount_minor : 0), amount_minor);
  const isReported = pieces.some((piece) => piece.external_id === number);
  // A later report of it has this number.
  const own = isEarlierId(payment, external_id) ? external_id : number;
  if (!isReported && restMinor > 0) return { external_id: own, amount_minor: restMinor };
  const message = "The provider has since reported this payment, and its money is in the books. Ignore the exception with a note.";
  throw orderErrors.order_state_conflict({ message, fields: { exception_id: id } });
}

/** Money whose outcome no provider reported, and which a person found at the provider. */
async function payUnproven(tx: Tx, ctx: Ctx, given: { exception: ExceptionRow; order: OrderRow; forgives: Forgiveness }): Promise<Settled> {
  const { exception, order, forgives } = given;
  const unbooked = await findUnbooked(tx, given);
  const { gateway, currency, payment_session_id } = exception;
  const session_id = exception.order_id === order.id ? payment_session_id : null;
  const money = {
    ...unbooked,
    order_id: order.id,
    session_id,
    gateway,
    currency,
    source: "link" as const,
    occurred_at: exception.created_at,
    forgives,
  };
  const settled = await settle(tx, ctx, { tenant: order, money });
  const payment = session_id === null ? null : await lockGatewayPayment(tx, order, session_id);
  // If the provider reports it after all, it is this money.
  if (payment !== null) await updateLockedGatewayPayment(tx, payment, { to: payment.status, settledId: unbooked.external_id });
  return settled;
}

/** Ignores the receipt of such an exception, unless it was decided otherwise since: it wasn't the shop's money. */
export async function dropReceipt(tx: Tx, ctx: Ctx, exception: ExceptionRow): Promise<void> {
  const receipt = await lockReceiptOf(tx, exception);
  if (receipt === null || receipt.status !== "unmatched" || receipt.exception_id !== exception.id) return;
  await updateReceipt(tx, receipt, { status: "ignored", decided_by: ctx.actor.id, decision_reason: "exception ignored" });
}

async function lockReceiptOf(tx: Tx, exception: ExceptionRow): Promise<ReceiptRow | null> {
  const tenant = exception.receipt_id === null ? null : await findReceiptTenant(tx, exception, exception.receipt_id);
  return tenant === null || exception.receipt_id === null ? null : lockReceipt(tx, tenant, exception.receipt_id);
}

async function lockOf(tx: Tx, exception: ExceptionRow): Promise<ReceiptRow> {
  const receipt = await lockReceiptOf(tx, exception);
  if (receipt === null || receipt.status !== "unmatched")
    throw platformErrors.resource_missing({ message: "This exception's receipt is no longer unmatched." });
  return receipt;
}
