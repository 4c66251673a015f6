import { listVoucherRows, type OrderRow, orderErrors, type SessionRow } from "#orders/index.ts";
import type { Tx } from "#platform/index.ts";
import type { ReviewInput } from "./review-input.ts";

/**
 * Throws if the payment or proof that a person looked at isn't what waits on the locked order now: review_exists if it was decided,
 * order_state_conflict if the buyer withdrew it or sent another one.
 */
export async function refuseUnseen(tx: Tx, given: { order: OrderRow; sessions: SessionRow[]; input: ReviewInput }): Promise<void> {
  const { order, sessions, input } = given;
  if (input.payment_session_id === undefined && input.voucher_id === undefined) return;
  const vouchers = await listVoucherRows(tx, order, [order.id]);
  const waiting = sessions.find(({ status }) => status === "pending_verify") ?? null;
  const proof = vouchers.find(({ status }) => status === "submitted") ?? null;
  const isSeen =
    (input.payment_session_id === undefined || input.payment_session_id === waiting?.id) &&
    (input.voucher_id === undefined || input.voucher_id === (proof?.id ?? null));
  if (isSeen) return;
  const session = sessions.find(({ id }) => id === input.payment_session_id);
  const voucher = vouchers.find(({ id }) => id === input.voucher_id);
  if ((session?.reviewed_by ?? voucher?.reviewed_by ?? null) !== null) throw orderErrors.review_exists();
  throw orderErrors.order_state_conflict({
    message: "The buyer withdrew this payment or sent another proof. Read the order and decide about what waits now.",
    fields: { reason: "payment_changed", status: order.status, payment_session_id: waiting?.id ?? null, voucher_id: proof?.id ?? null },
  });
}
