import { awayOf, codeOf, type Linked } from "#orders/index.ts";
import type { PayState } from "./pay-view.ts";

type Known = Pick<Linked, "order" | "link" | "session" | "now">;

/** Where the buyer stands at this moment. Time counts as it is read, so a page is right even before the expiry worker was there. */
export function payState(linked: Known): PayState {
  const { order, link, now } = linked;
  if (order.status === "paid" || order.status === "canceled" || order.status === "failed") return order.status;
  if (order.status === "pending_verify") return "checking";
  if (order.status === "unpaid" && linked.session?.status === "processing") return "checking";
  if (link.revoked_at !== null) return "revoked";
  if (order.status === "expired" || order.expires_at <= now) return "expired";
  return isPayable(linked.session, now) ? "pay" : "choose";
}

/** True while the session can be paid: its code shown, or the buyer led to where they pay. */
export function isPayable(session: Known["session"], now: Date): boolean {
  if (session === null || session.status !== "pending" || session.expires_at <= now) return false;
  return codeOf(session) !== null || awayOf(session) !== null;
}
