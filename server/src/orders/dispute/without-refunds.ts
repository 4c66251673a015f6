import type { DisputeSnapshot } from "#gateways/index.ts";
import type { Tenant, Tx } from "#platform/index.ts";
import type { DisputeRow } from "../dispute-row.ts";
import { findRefundedBetween } from "../rows/refunds.sql.ts";
import { countedUntil, lostAt } from "./decide-dispute.ts";

/**
 * What a dispute took in addition to refunds that are booked as such, if its provider reports all that the buyer got back. One that took
 * nothing more is won: the merchant refunded the buyer, who escalated the case all the same. A refund that was last requested after the
 * case was lost isn't part of what the case returned, also if the case is reported again or appealed.
 */
export async function withoutRefunds(
  tx: Tx,
  payment: Tenant & { order_id: string; payment_session_id: string },
  { known, dispute }: { known: DisputeRow | null; dispute: DisputeSnapshot },
): Promise<DisputeSnapshot> {
  const { state, amount, refundedSince: since, occurredAt } = dispute;
  if (state !== "lost" || since === undefined) return dispute;
  const until = countedUntil(lostAt(known) ?? occurredAt);
  const refunded = await findRefundedBetween(tx, payment, { since, until, currency: amount.currency });
  if (refunded === 0) return dispute;
  const rest = amount.amount_minor - refunded;
  return rest > 0 ? { ...dispute, amount: { ...amount, amount_minor: rest } } : { ...dispute, state: "won" };
}
