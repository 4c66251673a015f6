import { awayOf, findByToken } from "#orders/index.ts";
import type { Ctx } from "#platform/index.ts";
import { isActionOver, payState } from "./pay-state.ts";
import type { PayView } from "./pay-view.ts";
import { viewPaymentAt } from "./view-payment.ts";

/** Where a buyer is redirected to pay. */
export type Away = NonNullable<ReturnType<typeof awayOf>>;

export interface Leading {
  view: PayView;
  now: Date;
  action: Away;
  /** Name of the payment method. */
  method: string;
}

/**
 * Where the open payment of a link redirects its buyer, with what the page shows; null if it redirects nowhere now, has to be renewed, or
 * was prepared for a person other than the one at this browser, whose own payment is `session`. Throws payment_link_not_found.
 */
export async function findAway(ctx: Ctx, input: { token: string; session: string | null }): Promise<Leading | null> {
  const linked = await findByToken(ctx, input.token);
  const { session } = linked;
  const action = session === null || payState(linked) !== "pay" || isActionOver(linked) ? null : awayOf(session);
  if (session === null || action === null || (action.type === "wechat_jsapi" && session.id !== input.session)) return null;
  return { ...(await viewPaymentAt(ctx, input)), action, method: session.method };
}
