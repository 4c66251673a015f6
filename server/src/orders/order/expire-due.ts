import { emitAll } from "#events/index.ts";
import type { Ctx, Tx } from "#platform/index.ts";
import { failureEvents } from "../order-events.ts";
import { lockDueOrders, updateOrder } from "../rows/orders.sql.ts";
import { updateDueSessions, updateOpenSessions } from "../rows/sessions.sql.ts";
import type { OrderRow } from "../shapes.ts";

/** Ends expired orders and payment sessions, at most `limit` of each; returns how many. Several processes can run it at once. */
export async function expireDue(ctx: Ctx, limit = 100): Promise<number> {
  const orders = await ctx.transact(async (tx) => {
    const due = await lockDueOrders(tx, limit);
    const expired: OrderRow[] = [];
    for (const order of due) expired.push(await expireOrder(tx, order));
    await emitAll(
      tx,
      ctx,
      expired.flatMap((order) => failureEvents(order).map((event) => ({ ...event, tenant: order }))),
    );
    return expired.length;
  });
  const sessions = await ctx.transact((tx) => updateDueSessions(tx, limit));
  return orders + sessions;
}

/** Moves one locked, unpaid order with its open session to expired; the caller emits. */
export async function expireOrder(tx: Tx, order: OrderRow): Promise<OrderRow> {
  const expired = await updateOrder(tx, order, { from: ["unpaid"], to: "expired", failureCode: "expired" });
  if (expired === null) throw new Error("a locked order changed under its lock");
  await updateOpenSessions(tx, order, { orderId: order.id, to: "expired", except: null });
  return expired;
}
