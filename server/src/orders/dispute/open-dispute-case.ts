import { emit } from "#events/index.ts";
import type { Ctx, Tx } from "#platform/index.ts";
import type { DisputeRow } from "../dispute-row.ts";
import { exceptionEvent } from "../order-events.ts";
import { openFinding } from "../polling/open-finding.ts";
import { lockException, updateFindingDetail } from "../rows/exceptions.sql.ts";
import type { ExceptionRow, OrderRow } from "../shapes.ts";
import { isTaken } from "./decide-dispute.ts";

interface Disputed {
  /** The previous state; null for a new one. */
  known: DisputeRow | null;
  dispute: DisputeRow;
  order: OrderRow | null;
}

/**
 * Opens an exception for an active dispute, once; again if it was closed and the dispute returns, or its money is taken after an inquiry.
 * Returns the exception. It states what couldn't be booked: money that isn't in the books, and the part that exceeds what the order has
 * left.
 */
export async function openDisputeCase(tx: Tx, pinned: Ctx, given: Disputed): Promise<string | null> {
  const { known, dispute, order } = given;
  const { id, gateway, provider_dispute_id: externalId, payment_session_id: sessionId, amount_minor, currency, status, reason } = dispute;
  const over = beyond(given);
  const facts = { dispute_id: id, dispute_status: status, dispute_reason: reason };
  const detail = {
    reason: "disputed",
    ...facts,
    ...(dispute.in_books ? {} : { in_books: false }),
    ...(over > 0 ? { over_minor: over } : {}),
  };
  const before = dispute.exception_id === null ? null : await lockException(tx, dispute, dispute.exception_id);
  if (before?.status === "open") return notifyMore(tx, pinned, { before, detail, order });
  const isBack = known !== null && known.status !== status && (known.status === "won" || known.status === "inquiry");
  if (before !== null && !isBack) return before.id;
  const tenant = { project_id: dispute.project_id, livemode: dispute.livemode };
  const kind = order === null ? "unmatched" : "mismatch";
  const opened = await openFinding(tx, pinned, {
    tenant,
    order,
    sessionId,
    gateway,
    externalId,
    kind,
    amount: { amount_minor, currency },
    detail,
  });
  return opened.id;
}

/** An open exception shows its dispute's current state. Subscribers are notified again if the disputed money exceeds what the order has. */
async function notifyMore(
  tx: Tx,
  pinned: Ctx,
  given: { before: ExceptionRow; detail: { over_minor?: number }; order: OrderRow | null },
): Promise<string> {
  const { before, detail, order } = given;
  const after = await updateFindingDetail(tx, before, detail);
  const isNews = detail.over_minor !== undefined && detail.over_minor !== before.detail["over_minor"];
  if (isNews)
    await emit(tx, pinned, {
      tenant: { project_id: before.project_id, livemode: before.livemode },
      events: [exceptionEvent(after, order)],
    });
  return before.id;
}

/** By how much the disputed amount exceeds what refunds and other disputes left of the order's received amount. */
function beyond({ known, dispute, order }: Disputed): number {
  if (order === null || !dispute.of_order || !isTaken(dispute.status)) return 0;
  const { amount_received_minor, amount_refunded_minor, amount_refunding_minor, amount_disputed_minor } = order;
  // The order's disputed amount includes this dispute if it took money before.
  const own = known?.of_order === true && isTaken(known.status) ? known.amount_minor : 0;
  const others = Math.max(0, amount_disputed_minor - own);
  return Math.max(0, dispute.amount_minor - (amount_received_minor - amount_refunded_minor - amount_refunding_minor - others));
}
