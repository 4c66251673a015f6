import { awayOf, findByToken } from "#orders/index.ts";
import type { Ctx } from "#platform/index.ts";
import { payState } from "./pay-state.ts";
import type { PayView } from "./pay-view.ts";
import { viewPaymentAt } from "./view-payment.ts";

/** Where a buyer is led to pay. */
export type Away = NonNullable<ReturnType<typeof awayOf>>;

/** Where the open payment of a link leads its buyer, with what the page shows; null where it leads nowhere now. Throws payment_link_not_found. */
export async function findAway(ctx: Ctx, input: { token: string }): Promise<{ view: PayView; now: Date; action: Away } | null> {
  const linked = await findByToken(ctx, input.token);
  const action = linked.session === null || payState(linked) !== "pay" ? null : awayOf(linked.session);
  return action === null ? null : { ...(await viewPaymentAt(ctx, input)), action };
}
