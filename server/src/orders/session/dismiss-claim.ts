import { recordAudit } from "#audit/index.ts";
import { type Ctx, platformErrors, type Tenant } from "#platform/index.ts";
import { orderErrors } from "../errors.ts";
import { findLink } from "../rows/links.sql.ts";
import { lockOrder, updateOrderUnclaimed } from "../rows/orders.sql.ts";
import { findLatestSession } from "../rows/sessions.sql.ts";
import type { OrderBundle } from "../shapes.ts";

/**
 * Dismisses what the buyer of a canceled order said, that they paid it; the audit log keeps the moment and the reason. The buyer can say it
 * again, which counts again. Throws order_state_conflict if no buyer claims so.
 */
export function dismissClaim(ctx: Ctx, tenant: Tenant, input: { order_id: string; reason: string }): Promise<OrderBundle> {
  const reason = input.reason.trim();
  if (reason === "") throw platformErrors.parameter_invalid({ param: "reason", reason: "required", message: "Give a short reason." });
  return ctx.transact(async (tx) => {
    const order = await lockOrder(tx, tenant, input.order_id);
    if (order === null) throw platformErrors.resource_missing({ param: "id" });
    const { status, claimed_at } = order;
    if (claimed_at === null)
      throw orderErrors.order_state_conflict({ message: "This order has no open claim of payment.", fields: { status } });
    const dismissed = await updateOrderUnclaimed(tx, order);
    const detail = { reason, claimed_at: claimed_at.toISOString() };
    await recordAudit(tx, { ctx, tenant, action: "order.claim_dismissed", object_type: "order", object_id: order.id, detail });
    return { order: dismissed, link: await findLink(tx, tenant, order.id), session: await findLatestSession(tx, tenant, order.id) };
  });
}
