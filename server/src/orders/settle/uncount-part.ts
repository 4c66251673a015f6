import type { Tx } from "#platform/index.ts";
import { lockHeldParts } from "../rows/exceptions.sql.ts";
import { updateOrder } from "../rows/orders.sql.ts";
import { updateOpenSessions } from "../rows/sessions.sql.ts";
import { type ExceptionRow, type OrderRow, owesAgain } from "../shapes.ts";

/**
 * Stops counting a short payment toward its locked order: the order is owed that much again, and a code that only requested the rest is
 * closed. The money itself doesn't move.
 */
export async function uncountPart(tx: Tx, given: { exception: ExceptionRow; order: OrderRow | null }): Promise<void> {
  const { exception, order } = given;
  if (exception.kind !== "underpaid" || exception.status !== "open" || order === null) return;
  if (order.status === "paid" && !owesAgain(order)) return;
  const others = (await lockHeldParts(tx, order, order.id)).filter((other) => other.id !== exception.id);
  await updateOrder(tx, order, {
    from: [order.status],
    to: order.status,
    dropFlags: others.length === 0 ? ["underpaid"] : [],
    heldMinor: others.reduce((sum, other) => sum + other.amount_minor, 0),
  });
  if (order.status === "unpaid") await updateOpenSessions(tx, order, { orderId: order.id, to: "canceled", except: null });
}
