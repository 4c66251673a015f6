import { awayOf, findByToken, type GatewayBuyer, type Linked, readIdentity } from "#orders/index.ts";
import { type Ctx, equalSecret } from "#platform/index.ts";
import { initiatePayment } from "../initiate-payment.ts";
import { payState } from "../pay-state.ts";
import type { Visit } from "./visit.ts";

export interface TakenBuyer {
  visit: Visit;
  /** Whether the buyer continues to the payment, or returns to the page. */
  goesOn: boolean;
  problem: "buyer_unknown" | null;
}

/**
 * Takes the answer that a buyer's browser brings back from the provider, once, and starts the payment that it was asked for. Where the provider doesn't say who the buyer
 * is, the payment is started all the same, in a way that needs no name. Throws payment_link_not_found and what `initiatePayment` refuses.
 */
export async function takeBuyer(
  ctx: Ctx,
  input: { token: string; query: Readonly<Record<string, string>>; visit: Visit; buyer: GatewayBuyer },
): Promise<TakenBuyer> {
  const { token, query, visit, buyer } = input;
  const linked = await findByToken(ctx, token);
  const standing = payState(linked);
  if (standing !== "choose" && standing !== "pay") return { visit, goesOn: false, problem: null };
  const { asked } = visit;
  if (asked === null || !equalSecret(asked.state, query["state"] ?? "")) return refuse(ctx, linked, visit);
  const { credential_id, gateway } = asked;
  const openid = await readIdentity(ctx, linked.order, { credential_id, query });
  const { session } = await initiatePayment(ctx, { token, gateway, buyer: { ...buyer, openid, identified_at: credential_id } });
  return { visit: { asked: null, session: session.id }, goesOn: awayOf(session) !== null, problem: openid === null ? "buyer_unknown" : null };
}

/** Another browser's response, or one that is late or was already used: a buyer who returned a second time continues where they were. */
function refuse(ctx: Ctx, { session, order }: Linked, visit: Visit): TakenBuyer {
  const isRepeat = visit.session !== null && visit.session === session?.id;
  if (!isRepeat) ctx.log.info({ order: order.id }, "an answer about a buyer was refused: this browser did not ask, or asked too long ago");
  return { visit, goesOn: isRepeat, problem: isRepeat ? null : "buyer_unknown" };
}
