import { orderErrors } from "../../errors.ts";
import type { ExceptionRow, OrderRow } from "../../shapes.ts";
import type { RefundOf } from "./record-refund.ts";

export interface Held {
  exception: ExceptionRow;
  order: OrderRow | null;
}

/** Throws order_state_conflict for money that is in no books. */
export function refuseUnbooked({ id, transaction_id }: ExceptionRow): void {
  if (transaction_id !== null) return;
  const message = "This money is in no books, so that nothing is to be taken out of them. Once you have paid it back, ignore the exception with a note.";
  throw orderErrors.order_state_conflict({ message, fields: { exception_id: id } });
}

/** What goes back of a case: all that it holds. */
export function refundOfHeld({ exception, order }: Held): RefundOf {
  return {
    order_id: order?.id ?? null,
    exception_id: exception.id,
    payment_session_id: exception.payment_session_id,
    gateway: exception.gateway,
    amount_minor: exception.amount_minor,
    currency: exception.currency,
  };
}
