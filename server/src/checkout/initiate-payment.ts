import { findByToken, type GatewayBuyer, type Linked, type SessionRow, startPayment } from "#orders/index.ts";
import type { Ctx } from "#platform/index.ts";
import { checkoutErrors } from "./errors.ts";
import { isRepeat } from "./is-repeat.ts";
import { payState } from "./pay-state.ts";

export interface Initiated {
  session: SessionRow;
  link: Linked["link"];
  created: boolean;
}

/** The buyer who starts a payment, given the language that the merchant set for their page; `auto` leaves it to the browser. */
export type BuyerOf = (set: string) => GatewayBuyer;

/**
 * The buyer chooses a payment method. Choosing the same again returns the open session; another one closes it. Throws
 * payment_link_not_found, payment_link_revoked, payment_link_expired and the errors of `startPayment`.
 */
export async function initiatePayment(ctx: Ctx, input: { token: string; gateway: string; buyer: BuyerOf }): Promise<Initiated> {
  const linked = await findByToken(ctx, input.token);
  const state = payState(linked);
  const repeated = await isRepeat(ctx);
  if (!repeated && state === "revoked") throw checkoutErrors.payment_link_revoked();
  if (!repeated && state === "expired") throw checkoutErrors.payment_link_expired();
  const { session, created } = await startPayment(ctx, linked.order, {
    order_id: linked.order.id,
    gateway: input.gateway,
    buyer: input.buyer(linked.order.locale),
  });
  return { session, created, link: linked.link };
}
