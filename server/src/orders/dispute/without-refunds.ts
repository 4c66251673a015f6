import type { DisputeSnapshot } from "#gateways/index.ts";
import type { Tenant, Tx } from "#platform/index.ts";
import type { DisputeRow } from "../dispute-row.ts";
import { findRefundedBetween } from "../rows/refunds.sql.ts";
import { type Counted, countedUntil, lostAt } from "./decide-dispute.ts";

/** A reported dispute without refunds of its payment. */
export interface NetDispute extends DisputeSnapshot {
  /** What the report says, if it is about all that the buyer got back. */
  counted: Counted | null;
}

/**
 * What a dispute took in addition to refunds that are booked as such, if its provider reports all that the buyer got back. One that took
 * nothing more is won: the merchant refunded the buyer, who escalated the case all the same. A refund that was last requested after the
 * case was lost isn't part of what the case returned, also if the case is reported again or appealed.
 */
export async function withoutRefunds(
  tx: Tx,
  payment: Tenant & { order_id: string; payment_session_id: string },
  { known, dispute }: { known: DisputeRow | null; dispute: DisputeSnapshot },
): Promise<NetDispute> {
  const { state, amount, refundedSince: since, occurredAt } = dispute;
  if (state !== "lost" || since === undefined) return { ...dispute, counted: null };
  const until = countedUntil(lostAt(known) ?? occurredAt);
  const refunded = await findRefundedBetween(tx, payment, { since, until, currency: amount.currency });
  const net = { ...dispute, counted: { minor: amount.amount_minor, since } };
  const rest = amount.amount_minor - refunded;
  return rest > 0 ? { ...net, amount: { ...amount, amount_minor: rest } } : { ...net, state: "won" };
}
