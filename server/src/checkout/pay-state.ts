import { awayOf, codeOf, type Linked } from "#orders/index.ts";
import type { PayState } from "./pay-view.ts";

type Known = Pick<Linked, "order" | "link" | "session" | "now">;

/** The buyer's current state. Expiry is evaluated at reading time, so a page is right even before the expiry worker has run. */
export function payState(linked: Known): PayState {
  const { order, link, now } = linked;
  if (order.status === "paid" || order.status === "canceled" || order.status === "failed") return order.status;
  if (order.status === "pending_verify") return "checking";
  if (order.status === "unpaid" && linked.session?.status === "processing") return "checking";
  if (link.revoked_at !== null) return "revoked";
  if (order.status === "expired" || order.expires_at <= now) return "expired";
  return isPayable(linked.session, now) ? "pay" : "choose";
}

/**
 * Whether the code or page of the session's provider has expired before the session. The payment is still open: starting it again renews
 * them.
 */
export function isActionOver({ action_expires_at, now }: Pick<Linked, "action_expires_at" | "now">): boolean {
  return action_expires_at !== null && action_expires_at <= now;
}

/** Whether the session can be paid: its code shown, or the buyer redirected to where they pay. */
export function isPayable(session: Known["session"], now: Date): boolean {
  if (session === null || session.status !== "pending" || session.expires_at <= now) return false;
  return codeOf(session) !== null || awayOf(session) !== null;
}
