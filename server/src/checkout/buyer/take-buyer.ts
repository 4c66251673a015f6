import { awayOf, findByToken, type Linked, readIdentity } from "#orders/index.ts";
import { type Ctx, equalSecret } from "#platform/index.ts";
import { type BuyerOf, initiatePayment } from "../initiate-payment.ts";
import { payState } from "../pay-state.ts";
import type { Visit } from "./visit.ts";

export interface TakenBuyer {
  visit: Visit;
  /** Whether the buyer continues to the payment, or returns to the page. */
  continues: boolean;
  problem: "buyer_unknown" | null;
}

/**
 * Takes the provider's response that a buyer's browser brings back, once, and starts the payment that needed it. If the provider doesn't
 * identify the buyer, the payment is started anyway, in a way that doesn't need their identity. Throws payment_link_not_found and the
 * errors of `initiatePayment`.
 */
export async function takeBuyer(
  ctx: Ctx,
  input: { token: string; query: Readonly<Record<string, string>>; visit: Visit; buyer: BuyerOf },
): Promise<TakenBuyer> {
  const { token, query, visit, buyer } = input;
  const linked = await findByToken(ctx, token);
  const current = payState(linked);
  if (current !== "choose" && current !== "pay") return { visit, continues: false, problem: null };
  const { asked } = visit;
  if (asked === null || !equalSecret(asked.state, query["state"] ?? "")) return refuse(ctx, linked, visit);
  const { credential_id, gateway } = asked;
  const openid = await readIdentity(ctx, linked.order, { credential_id, query });
  const identified: BuyerOf = (set) => ({ ...buyer(set), openid, identified_at: credential_id });
  const { session } = await initiatePayment(ctx, { token, gateway, buyer: identified });
  return {
    visit: { asked: null, session: session.id },
    continues: awayOf(session) !== null,
    problem: openid === null ? "buyer_unknown" : null,
  };
}

/** The response belongs to another browser, is late, or was already used: a buyer who returns a second time continues where they were. */
function refuse(ctx: Ctx, { session, order }: Linked, visit: Visit): TakenBuyer {
  const isRepeat = visit.session !== null && visit.session === session?.id;
  if (!isRepeat)
    ctx.log.info({ order: order.id }, "a response about a buyer was refused: this browser didn't request it, or did so too long ago");
  return { visit, continues: isRepeat, problem: isRepeat ? null : "buyer_unknown" };
}
