import type { Db } from "#platform/index.ts";
import { orderErrors } from "../../errors.ts";
import { listDisputesOfPayment } from "../../rows/disputes.sql.ts";
import { listPaymentsOfNumbers } from "../../rows/find-gateway-payments.sql.ts";
import { findBackOfPayment } from "../../rows/refunds.sql.ts";
import type { ExceptionRow, GatewayPaymentRow, OrderRow } from "../../shapes.ts";
import type { RefundOf } from "./record-refund.ts";

export interface Held {
  exception: ExceptionRow;
  order: OrderRow | null;
}

/** Throws order_state_conflict for money that isn't booked. */
export function refuseUnbooked({ id, transaction_id }: ExceptionRow): void {
  if (transaction_id !== null) return;
  const message = "This money isn't booked, so there's nothing to take out. Once you have paid it back, ignore the exception with a note.";
  throw orderErrors.order_state_conflict({ message, fields: { exception_id: id } });
}

/** The payment at a provider whose money an exception holds; null if it came in another way. */
export async function findPaymentOfHeld(db: Db, exception: ExceptionRow): Promise<GatewayPaymentRow | null> {
  if (exception.transaction_id === null) return null;
  const [payment] = await listPaymentsOfNumbers(db, exception, [{ gateway: exception.gateway, external_id: exception.external_id }]);
  return payment ?? null;
}

/**
 * What disputes and refunds, also those in progress, left of a payment's money; less than 0 if they add up to more. Null if no dispute took
 * any of it.
 */
export async function findLeft(
  db: Db,
  payment: GatewayPaymentRow,
  currency: string,
): Promise<{ leftMinor: number; disputeIds: string[] } | null> {
  const disputes = (await listDisputesOfPayment(db, payment)).filter((one) => one.status !== "inquiry" && one.currency === currency);
  if (disputes.length === 0 || payment.paid_minor === null) return null;
  const takenMinor = disputes.reduce((sum, { amount_minor }) => sum + amount_minor, 0);
  const leftMinor = payment.paid_minor - takenMinor - (await findBackOfPayment(db, payment));
  return { leftMinor, disputeIds: disputes.map(({ id }) => id) };
}

/** Throws order_state_conflict for money that disputes of its payment took, because it can't be refunded or kept. */
export async function refuseTaken(db: Db, exception: ExceptionRow): Promise<void> {
  const payment = await findPaymentOfHeld(db, exception);
  const left = payment === null ? null : await findLeft(db, payment, exception.currency);
  if (left === null || exception.amount_minor <= left.leftMinor) return;
  const message =
    "A dispute took this money. If you win the dispute, decide about the money then; otherwise, ignore the exception with a note.";
  throw orderErrors.order_state_conflict({ message, fields: { exception_id: exception.id, dispute_ids: left.disputeIds } });
}

/** The refundable amount of an exception: all that it holds. */
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
