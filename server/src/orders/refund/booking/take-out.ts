import { recordTransfers, reverseTransfer, type Transaction } from "#ledger/index.ts";
import type { Ctx, Tx } from "#platform/index.ts";
import { updateOrder } from "../../rows/orders.sql.ts";
import { uncountPart } from "../../settle/uncount-part.ts";
import type { ExceptionRow, OrderRow, RefundRow } from "../../shapes.ts";

interface Outgoing {
  order: OrderRow;
  refund: Pick<RefundRow, "id" | "gateway" | "payment_session_id">;
  amountMinor: number;
  /** The refund's own number, if it has one. */
  number: string | null;
}

/** Books a refund of an order's received money out of its wallet. */
export async function takeOut(tx: Tx, pinned: Ctx, { order, refund, amountMinor, number }: Outgoing): Promise<Transaction> {
  const [transaction] = await recordTransfers(tx, [
    {
      tenant: order,
      id: pinned.id("txn"),
      kind: "refund",
      source: refund.id,
      debit: "refunds",
      credit: "custody",
      amount_minor: amountMinor,
      currency: order.currency,
      gateway: refund.gateway,
      order_id: order.id,
      reference: order.reference,
      payment_session_id: refund.payment_session_id,
      external_transaction_id: number,
      description: order.description,
      created_by: pinned.actor.id,
      now: pinned.now(),
    },
  ]);
  if (transaction === undefined) throw new Error("a transfer was not booked");
  return transaction;
}

/** Books refunded money out of suspense or excess, where its exception held it. */
export function takeOutHeld(tx: Tx, pinned: Ctx, given: { exception: ExceptionRow; refundId: string }): Promise<Transaction> {
  const { exception, refundId } = given;
  const reversal = {
    id: pinned.id("txn"),
    reverses: exception.transaction_id ?? "",
    source: refundId,
    description: refundId,
    created_by: pinned.actor.id,
    now: pinned.now(),
  };
  return reverseTransfer(tx, exception, reversal);
}

/** The order no longer counts refunded money of its exception. Both are locked. */
export async function uncountHeld(tx: Tx, given: { exception: ExceptionRow; order: OrderRow | null }): Promise<void> {
  const { exception, order } = given;
  await uncountPart(tx, given);
  if (exception.kind !== "overpaid" || order === null) return;
  await updateOrder(tx, order, { from: [order.status], to: order.status, heldMinor: order.amount_held_minor - exception.amount_minor });
}
