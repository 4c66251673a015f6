import type { Ctx, Tx } from "#platform/index.ts";
import { openFinding } from "../asking/open-finding.ts";
import type { DisputeRow } from "../dispute-row.ts";
import { lockException } from "../rows/exceptions.sql.ts";
import type { OrderRow } from "../shapes.ts";
import { isTaken } from "./decide-dispute.ts";

/**
 * Tells a person of a dispute that stands, once; again where the case was closed and the dispute comes back, or its money is taken after an inquiry. Answers the case.
 * It says what the books could not follow: money that is in no books, and what goes beyond what the order has left.
 */
export async function openDisputeCase(
  tx: Tx,
  timed: Ctx,
  given: { known: DisputeRow | null; dispute: DisputeRow; order: OrderRow | null },
): Promise<string | null> {
  const { known, dispute, order } = given;
  const { id, gateway, provider_dispute_id: externalId, payment_session_id: sessionId, amount_minor, currency, status, reason } = dispute;
  const isBack = known !== null && known.status !== status && (known.status === "won" || known.status === "inquiry");
  const isAnew = isBack && (await isClosed(tx, dispute));
  if (dispute.exception_id !== null && !isAnew) return dispute.exception_id;
  const over = beyond(dispute, order);
  const facts = { dispute_id: id, dispute_status: status, dispute_reason: reason };
  const detail = { reason: "disputed", ...facts, ...(dispute.in_books ? {} : { in_books: false }), ...(over > 0 ? { over_minor: over } : {}) };
  const tenant = { project_id: dispute.project_id, livemode: dispute.livemode };
  const kind = order === null ? "unmatched" : "mismatch";
  const opened = await openFinding(tx, timed, { tenant, order, sessionId, gateway, externalId, kind, amount: { amount_minor, currency }, detail });
  return opened.id;
}

async function isClosed(tx: Tx, dispute: DisputeRow): Promise<boolean> {
  const exception = dispute.exception_id === null ? null : await lockException(tx, dispute, dispute.exception_id);
  return exception?.status !== "open";
}

/** How much more is disputed than refunds and other disputes left of what the order received. */
function beyond(dispute: DisputeRow, order: OrderRow | null): number {
  if (order === null || !dispute.of_order || !isTaken(dispute.status)) return 0;
  const { amount_received_minor, amount_refunded_minor, amount_refunding_minor, amount_disputed_minor } = order;
  return Math.max(0, dispute.amount_minor - (amount_received_minor - amount_refunded_minor - amount_refunding_minor - amount_disputed_minor));
}
