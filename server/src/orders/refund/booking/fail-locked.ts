import { recordAudit } from "#audit/index.ts";
import { emit } from "#events/index.ts";
import { reverseTransfer } from "#ledger/index.ts";
import type { Ctx, Tx } from "#platform/index.ts";
import { recountDisputes } from "../../dispute/apply-dispute.ts";
import { refundEvent, transactionEvent } from "../../order-events.ts";
import { findOrderRow } from "../../rows/orders.sql.ts";
import { updateRefundFailed } from "../../rows/refunds.sql.ts";
import type { OrderRow, RefundRow } from "../../shapes.ts";
import { type EventsOf, holdAgain, keepHolding } from "./hold-again.ts";
import { notifyBuyer } from "./notify-buyer.ts";

/**
 * Ends a refund as failed, whatever the source: its bookings are reversed, and its amount is available again. The order and the refund are
 * locked.
 */
export async function failLocked(
  tx: Tx,
  pinned: Ctx,
  given: { refund: RefundRow; order: OrderRow | null; code: string; note: string | null },
): Promise<RefundRow> {
  const { order, code, note } = given;
  const refund = await updateRefundFailed(tx, given.refund, { from: [given.refund.status], code, note });
  if (refund === null) throw new Error("a locked refund changed under its lock");
  const booked = await undo(tx, pinned, { refund, order, wasPaid: given.refund.status === "succeeded" });
  const after = order === null ? null : await findOrderRow(tx, refund, order.id);
  await emit(tx, pinned, { tenant: refund, events: [...booked(after), refundEvent("refund.failed", refund, after)] });
  const { order_id, exception_id, amount_minor, currency, failure_code } = refund;
  const detail = { order_id, exception_id, amount_minor, currency, failure_code, note: refund.failure_note };
  await recordAudit(tx, { ctx: pinned, tenant: refund, action: "refund.failed", object_type: "refund", object_id: refund.id, detail });
  if (given.refund.status === "succeeded") await recountDisputes(tx, pinned, refund);
  // The buyer was notified of the refund.
  if (given.refund.status === "succeeded" && after !== null)
    await notifyBuyer(tx, pinned, { kind: "refund_returned", refund, order: after });
  return refund;
}

async function undo(tx: Tx, pinned: Ctx, given: { refund: RefundRow; order: OrderRow | null; wasPaid: boolean }): Promise<EventsOf> {
  const { refund, wasPaid } = given;
  if (refund.exception_id !== null) return wasPaid ? holdAgain(tx, pinned, given) : keepHolding(tx, given);
  if (!wasPaid) return () => [];
  const reversal = {
    id: pinned.id("txn"),
    reverses: refund.transaction_id ?? "",
    source: refund.id,
    created_by: pinned.actor.id,
    now: pinned.now(),
  };
  const transaction = await reverseTransfer(tx, refund, reversal);
  return (order) => [transactionEvent(transaction, order)];
}
