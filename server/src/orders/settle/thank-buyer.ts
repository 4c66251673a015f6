import { type Ctx, notice, type Tx } from "#platform/index.ts";
import { findProject } from "#projects/index.ts";
import type { OrderRow } from "../shapes.ts";

/** Has a receipt sent to a buyer who gave an address, where the merchant wants that. Nothing of TEST ever leaves for a buyer. */
export async function thankBuyer(tx: Tx, ctx: Ctx, { order, gateway }: { order: OrderRow; gateway: string }): Promise<void> {
  const address = order.customer.email ?? "";
  if (!order.livemode || !address.includes("@")) return;
  const project = await findProject(tx, order.project_id);
  if (project?.settings.buyer_receipts !== true) return;
  const params = { project_id: order.project_id, livemode: order.livemode, order_id: order.id, gateway };
  await notice(tx, ctx, { kind: "order_paid", recipient: address, params });
}
