import type { Ctx } from "#platform/index.ts";
import { findAway, type Leading } from "../lead-away.ts";
import { viewPaymentAt } from "../view-payment.ts";
import type { Visit } from "./visit.ts";

/**
 * Returns the buyer's next address: the provider that identifies them, otherwise the page where they pay; null if they stay. Throws
 * payment_link_not_found.
 */
export async function leadBuyer(ctx: Ctx, { token, visit }: { token: string; visit: Visit }): Promise<Leading | null> {
  const { asked, session } = visit;
  if (asked === null) return findAway(ctx, { token, session });
  const { view, now } = await viewPaymentAt(ctx, { token });
  const isPayable = view.state === "choose" || view.state === "pay";
  return isPayable ? { view, now, action: { type: "redirect", url: asked.address }, method: asked.gateway } : null;
}
