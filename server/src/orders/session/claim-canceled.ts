import { type Ctx, notice, type Tx } from "#platform/index.ts";
import { orderErrors } from "../errors.ts";
import { updateOrderClaimed } from "../rows/orders.sql.ts";
import { findLatestSession, findLatestSessionOf } from "../rows/sessions.sql.ts";
import type { OrderRow, SessionRow } from "../shapes.ts";

/**
 * The buyer of a canceled order says that they paid it. The order stays canceled and keeps the moment, and its reviewers get one mail.
 * Throws order_state_conflict if no payment was ever started, because no code was shown then.
 */
export async function claimCanceled(
  tx: Tx,
  ctx: Ctx,
  given: { order: OrderRow; gateway: string | null; isProof?: boolean },
): Promise<{ order: OrderRow; session: SessionRow }> {
  const { order, gateway } = given;
  const named = gateway === null ? null : await findLatestSessionOf(tx, order, { orderId: order.id, gateway });
  const session = named ?? (await findLatestSession(tx, order, order.id));
  if (session === null) throw orderErrors.order_state_conflict({ fields: { status: order.status } });
  if (order.claimed_at !== null && given.isProof !== true) return { order, session };
  if (order.claimed_at === null) {
    const params = { project_id: order.project_id, order_id: order.id, livemode: order.livemode };
    await notice(tx, ctx, { kind: "canceled_order_claimed", recipient: order.project_id, params });
  }
  // Each proof raises the order's version too, so that open pages show it.
  return { order: await updateOrderClaimed(tx, order), session };
}
