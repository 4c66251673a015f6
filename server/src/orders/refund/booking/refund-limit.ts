import { decimalOf } from "#platform/index.ts";
import { orderErrors } from "../../errors.ts";
import type { OrderRow } from "../../shapes.ts";

export const eachAlone = "Refund each payment separately, with payment_session_id";

/** The amount to refund: all that is left, unless an amount is given. Throws order_state_conflict and refund_exceeds_received. */
export function amountOf(order: OrderRow, input: { amount_minor?: number }): number {
  if (order.status !== "paid" || order.amount_received_minor === 0) {
    const message = "This order has no payment that can be refunded. To refund money held for it, use its exception.";
    throw orderErrors.order_state_conflict({ message, fields: { status: order.status } });
  }
  const refundableMinor =
    order.amount_received_minor - order.amount_refunded_minor - order.amount_refunding_minor - order.amount_disputed_minor;
  const amountMinor = input.amount_minor ?? refundableMinor;
  if (amountMinor > refundableMinor || amountMinor === 0) throw tooMuch(order, { refundableMinor, more: "" });
  return amountMinor;
}

export function tooMuch(order: OrderRow, given: { refundableMinor: number; more: string }): Error {
  const left = `${decimalOf(given.refundableMinor, order.exponent)} ${order.currency}`;
  const message =
    given.refundableMinor === 0 ? `Nothing is left to refund${given.more}.` : `Up to ${left} can still be refunded${given.more}.`;
  const fields = { refundable_minor: given.refundableMinor, currency: order.currency };
  return orderErrors.refund_exceeds_received({ param: "amount_minor", message, fields });
}
