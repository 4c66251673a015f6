import { findByToken, requestIdentity } from "#orders/index.ts";
import { type Ctx, randomBase62 } from "#platform/index.ts";
import { payState } from "../pay-state.ts";
import { noVisit, type Visit } from "./visit.ts";

/** How long a buyer may take to go to the provider and return. */
const identityMaxMs = 600_000;
const stateLength = 32;

/**
 * Checks whether the provider of a payment method needs to identify the buyer first; null if it doesn't, or if nothing can be paid now. The
 * request is bound to the browser that stores the visit: no other browser's response is accepted. Throws payment_link_not_found.
 */
export async function requestBuyerIdentity(
  ctx: Ctx,
  input: { token: string; gateway: string; device: string; query: string },
): Promise<Visit | null> {
  const { token, gateway, device, query } = input;
  if (ctx.methods.find(gateway)?.kind !== "gateway") return null;
  const linked = await findByToken(ctx, token);
  const current = payState(linked);
  if (current !== "choose" && current !== "pay") return null;
  const state = randomBase62(stateLength);
  const returnUrl = `${ctx.publicUrl}/pay/${linked.link.token}/buyer${query}`;
  const question = await requestIdentity(ctx, { order: linked.order, gateway, device, returnUrl, state });
  return question === null ? null : { ...noVisit, asked: { ...question, state, gateway, until_ms: linked.now.getTime() + identityMaxMs } };
}
