import { reverseTransfer } from "#ledger/index.ts";
import { atNow, type Ctx, type Tx } from "#platform/index.ts";
import { orderErrors } from "../errors.ts";
import { updateOrder } from "../rows/orders.sql.ts";
import { uncountPart } from "../settle/uncount-part.ts";
import type { ExceptionRow, OrderRow, RefundRow } from "../shapes.ts";
import type { ManualDetails } from "./manual-details.ts";
import { recordRefund } from "./record-refund.ts";

/**
 * A person's word that the money which a locked case holds went back, whole. It leaves suspense or excess by a reversal, and its order counts it no more.
 * Throws order_state_conflict for money that is in no books.
 */
export async function refundHeld(tx: Tx, ctx: Ctx, given: { exception: ExceptionRow; order: OrderRow | null; details: ManualDetails }): Promise<RefundRow> {
  const { exception, order, details } = given;
  if (exception.transaction_id === null) {
    const message = "This money is in no books, so that nothing is to be taken out of them. Once you have paid it back, ignore the exception with a note.";
    throw orderErrors.order_state_conflict({ message, fields: { exception_id: exception.id } });
  }
  const timed = await atNow(ctx, tx);
  const id = timed.id("rf");
  const reversal = { id: timed.id("txn"), reverses: exception.transaction_id, source: id, description: id, created_by: timed.actor.id, now: timed.now() };
  const transaction = await reverseTransfer(tx, exception, reversal);
  await uncountPart(tx, { exception, order });
  if (exception.kind === "overpaid" && order !== null) {
    const heldMinor = order.amount_held_minor - exception.amount_minor;
    await updateOrder(tx, order, { from: [order.status], to: order.status, heldMinor });
  }
  const of = {
    order_id: order?.id ?? null,
    exception_id: exception.id,
    payment_session_id: exception.payment_session_id,
    gateway: exception.gateway,
    amount_minor: exception.amount_minor,
    currency: exception.currency,
  };
  return (await recordRefund(tx, timed, { tenant: exception, id, of, transaction, details })).refund;
}
