import type { DisputeSnapshot } from "#gateways/index.ts";
import type { Tenant, Tx } from "#platform/index.ts";
import { findRefundedSince } from "../rows/refunds.sql.ts";

/**
 * What a dispute took in addition to refunds that are booked as such, if its provider reports all that the buyer got back. One that took
 * nothing more is won: the merchant refunded the buyer, who escalated the case all the same.
 */
export async function withoutRefunds(
  tx: Tx,
  payment: Tenant & { order_id: string; payment_session_id: string },
  dispute: DisputeSnapshot,
): Promise<DisputeSnapshot> {
  const { state, amount, refundedSince: since } = dispute;
  if (state !== "lost" || since === undefined) return dispute;
  const refunded = await findRefundedSince(tx, payment, { since, currency: amount.currency });
  if (refunded === 0) return dispute;
  const rest = amount.amount_minor - refunded;
  return rest > 0 ? { ...dispute, amount: { ...amount, amount_minor: rest } } : { ...dispute, state: "won" };
}
