import { recordAudit } from "#audit/index.ts";
import { requireVerified } from "#identity/index.ts";
import { type Ctx, findNow, isUniqueViolation, platformErrors, type Tenant, trySavepoint } from "#platform/index.ts";
import { orderErrors } from "../errors.ts";
import { newLinkToken } from "../order/create-order.ts";
import { findLink, insertLink, updateLinksRevoked } from "../rows/links.sql.ts";
import { findReferenceHolder, lockOrder, updateOrder } from "../rows/orders.sql.ts";
import { findLatestSession } from "../rows/sessions.sql.ts";
import type { LinkRow, OrderBundle, OrderRow } from "../shapes.ts";

/**
 * Revokes the order's link and creates a new one; with `expires_in` (seconds) the order's time starts again, which revives an expired
 * order. Throws reference_exists if another order has taken the reference in the meantime, order_already_paid and order_state_conflict.
 */
export async function issuePaymentLink(ctx: Ctx, tenant: Tenant, input: { order_id: string; expires_in?: number }): Promise<OrderBundle> {
  await requireVerified(ctx, tenant);
  return ctx.transact(async (tx) => {
    const found = await lockOrder(tx, tenant, input.order_id);
    if (found === null) throw platformErrors.resource_missing({ param: "id" });
    refuseEnded(found, input.expires_in !== undefined);
    const now = await findNow(tx);
    const move = { from: [found.status], to: found.status === "expired" ? "unpaid" : found.status } as const;
    const expiresAt = input.expires_in === undefined ? {} : { expiresAt: new Date(now.getTime() + input.expires_in * 1000) };
    const revived = found.status === "expired" ? { failureCode: null } : {};
    const tried = await trySavepoint(
      tx,
      (inner) => updateOrder(inner, found, { ...move, ...expiresAt, ...revived }),
      (error) => isUniqueViolation(error, "orders_reference"),
    );
    if (!tried.ok)
      throw orderErrors.reference_exists({ fields: { existing_order_id: await findReferenceHolder(tx, tenant, found.reference) } });
    await updateLinksRevoked(tx, tenant, { orderId: found.id });
    const link: LinkRow = {
      ...tenantOf(found),
      id: ctx.id("lnk"),
      order_id: found.id,
      token: newLinkToken(tenant.livemode),
      revoked_at: null,
      created_at: now,
    };
    await insertLink(tx, link);
    await recordAudit(tx, {
      ctx,
      tenant,
      action: "payment_link.issued",
      object_type: "order",
      object_id: found.id,
      detail: { link_id: link.id, revived: found.status === "expired" },
    });
    return { order: tried.value ?? found, link, session: await findLatestSession(tx, tenant, found.id) };
  });
}

function refuseEnded(order: OrderRow, withTime: boolean): void {
  if (order.status === "paid") throw orderErrors.order_already_paid();
  const revivable = order.status === "expired" && withTime;
  if (!revivable && order.status !== "unpaid" && order.status !== "pending_verify")
    throw orderErrors.order_state_conflict({ fields: { status: order.status } });
}

/** Revokes the order's link; its page then says so and still lets the buyer report a payment. Revoking it again changes nothing. */
export async function revokePaymentLink(ctx: Ctx, tenant: Tenant, input: { order_id: string }): Promise<OrderBundle> {
  return ctx.transact(async (tx) => {
    const order = await lockOrder(tx, tenant, input.order_id);
    if (order === null) throw platformErrors.resource_missing({ param: "id" });
    const revoked = await updateLinksRevoked(tx, tenant, { orderId: order.id });
    const changed = revoked === 0 ? order : await updateOrder(tx, order, { from: [order.status], to: order.status });
    if (revoked > 0)
      await recordAudit(tx, { ctx, tenant, action: "payment_link.revoked", object_type: "order", object_id: order.id, detail: {} });
    return { order: changed ?? order, link: await findLink(tx, tenant, order.id), session: await findLatestSession(tx, tenant, order.id) };
  });
}

function tenantOf(row: Tenant): Tenant {
  return { project_id: row.project_id, livemode: row.livemode };
}
