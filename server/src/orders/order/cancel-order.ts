import { recordAudit } from "#audit/index.ts";
import { emit } from "#events/index.ts";
import { type Ctx, pipeline, platformErrors, type Tenant } from "#platform/index.ts";
import { orderErrors } from "../errors.ts";
import { closingOpen } from "../gateway/close-open.ts";
import { exceptionEvent, failureEvents } from "../order-events.ts";
import { lockHeldParts, updateExceptionOrphaned } from "../rows/exceptions.sql.ts";
import { findLink } from "../rows/links.sql.ts";
import { lockOrder, updateOrder } from "../rows/orders.sql.ts";
import { findLatestSession, lockOpenSession, updateOpenSessions } from "../rows/sessions.sql.ts";
import { detachFromProvider } from "../session/prepare-start.ts";
import type { ClosedSessions } from "../session/starting.ts";
import type { OrderBundle } from "../shapes.ts";

/**
 * Permanently ends an unpaid order; money that arrives later becomes an exception, and so do short payments. Throws order_already_paid,
 * session_active or order_state_conflict.
 */
export function cancelOrder(ctx: Ctx, tenant: Tenant, input: { order_id: string }): Promise<OrderBundle> {
  return closingOpen(ctx, (closed) => cancelOnce(ctx, tenant, { ...input, closed }));
}

function cancelOnce(ctx: Ctx, tenant: Tenant, input: { order_id: string; closed: ClosedSessions }): Promise<OrderBundle> {
  return ctx.transact(async (tx) => {
    const order = await lockOrder(tx, tenant, input.order_id);
    if (order === null) throw platformErrors.resource_missing({ param: "id" });
    if (order.status === "paid") throw orderErrors.order_already_paid();
    if (order.status !== "unpaid") throw orderErrors.order_state_conflict({ fields: { status: order.status } });
    const open = await lockOpenSession(tx, tenant, order.id);
    if (open?.reported_at != null) throw orderErrors.session_active();
    if (open !== null) await detachFromProvider(tx, open, input.closed);
    const parts = await lockHeldParts(tx, tenant, order.id);
    const uncounted = parts.length === 0 ? {} : { heldMinor: 0, dropFlags: ["underpaid" as const] };
    const canceled = await updateOrder(tx, order, { from: ["unpaid"], to: "canceled", failureCode: "canceled", ...uncounted });
    if (canceled === null) throw new Error("a locked order changed under its lock");
    await updateOpenSessions(tx, tenant, { orderId: order.id, to: "canceled", except: null });
    const [orphaned] = await pipeline(tx, (pipe) => [parts.map((part) => updateExceptionOrphaned(pipe, part))]);
    await emit(tx, ctx, {
      tenant,
      events: [...failureEvents(canceled), ...orphaned.map((exception) => exceptionEvent(exception, canceled))],
    });
    await recordAudit(tx, { ctx, tenant, action: "order.canceled", object_type: "order", object_id: order.id, detail: {} });
    return { order: canceled, link: await findLink(tx, tenant, order.id), session: await findLatestSession(tx, tenant, order.id) };
  });
}
