import { emit } from "#events/index.ts";
import type { Ctx, Tx } from "#platform/index.ts";
import { exceptionEvent } from "../../order-events.ts";
import { updateExceptionResolved } from "../../rows/exceptions.sql.ts";
import type { ExceptionRow, GatewayPaymentRow, OrderRow } from "../../shapes.ts";
import { refundOfHeld } from "../booking/held.ts";
import { takeOutHeld } from "../booking/take-out.ts";
import { recordMade } from "./record-made.ts";

interface Returned {
  /** It is open, and holds the money. */
  exception: ExceptionRow;
  order: OrderRow;
  payment: GatewayPaymentRow;
  /** The provider's state of the payment, or of the refund. */
  state: string;
  /** The provider's id of the refund; null if it isn't known yet. */
  providerRefundId: string | null;
}

/**
 * Records that money in suspense went back to the buyer before its provider first reported it: it leaves suspense, the refund is recorded
 * like any that was made at the provider, and the exception is closed. The order is locked.
 */
export async function recordReturned(tx: Tx, pinned: Ctx, given: Returned): Promise<void> {
  const { exception, order, payment, state, providerRefundId } = given;
  const id = pinned.id("rf");
  const transaction = await takeOutHeld(tx, pinned, { exception, refundId: id });
  const closed = await updateExceptionResolved(tx, exception, {
    resolution: "refund",
    note: null,
    orderId: order.id,
    by: pinned.actor.id,
  });
  if (closed === null) throw new Error("an exception changed under its order's lock");
  await emit(tx, pinned, { tenant: order, events: [exceptionEvent(closed, order)] });
  const of = refundOfHeld({ exception, order });
  await recordMade(tx, pinned, { payment, id, of, transaction, providerRefundId, state });
}
