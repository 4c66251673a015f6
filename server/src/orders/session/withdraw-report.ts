import { recordAudit } from "#audit/index.ts";
import { type Ctx, findNow, platformErrors, type Tenant } from "#platform/index.ts";
import { orderErrors } from "../errors.ts";
import { lockOrder, updateOrder } from "../rows/orders.sql.ts";
import { lockOpenSession, updateSession } from "../rows/sessions.sql.ts";
import { updateSubmittedVoucher } from "../rows/vouchers.sql.ts";
import type { OrderRow } from "../shapes.ts";

/**
 * Withdraws "I have paid" before a decision was made: the order is unpaid again, its proof superseded, and the code can be shown or another
 * channel chosen. Withdrawing twice changes nothing. Throws order_already_paid, and order_state_conflict once the order has ended or its
 * time is over.
 */
export function withdrawReport(ctx: Ctx, tenant: Tenant, input: { order_id: string }): Promise<OrderRow> {
  return ctx.transact(async (tx) => {
    const order = await lockOrder(tx, tenant, input.order_id);
    const now = await findNow(tx);
    if (order === null) throw platformErrors.resource_missing({ param: "id" });
    if (order.status === "unpaid") return order;
    if (order.status === "paid") throw orderErrors.order_already_paid();
    // After its time, the order could only expire a second time: then the report stays and a person decides.
    if (order.status !== "pending_verify" || order.expires_at <= now)
      throw orderErrors.order_state_conflict({ fields: { status: order.status } });
    const open = await lockOpenSession(tx, order, order.id);
    if (open !== null) {
      const to = open.expires_at > now ? "pending" : "expired";
      await updateSession(tx, open, { from: ["pending_verify"], to, unreported: true });
    }
    await updateSubmittedVoucher(tx, tenant, { orderId: order.id, status: "superseded", reviewedBy: null, reason: null });
    const moved = await updateOrder(tx, order, { from: ["pending_verify"], to: "unpaid" });
    if (moved === null) throw new Error("a locked order changed under its lock");
    const detail = { payment_session_id: open?.id ?? null };
    await recordAudit(tx, { ctx, tenant, action: "order.report_withdrawn", object_type: "order", object_id: order.id, detail });
    return moved;
  });
}
