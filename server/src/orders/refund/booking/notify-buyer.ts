import { type Ctx, notice, type Tx } from "#platform/index.ts";
import { findProject } from "#projects/index.ts";
import type { OrderRow, RefundRow } from "../../shapes.ts";

interface EventsOf {
  /** `refund_claim`: the buyer has to claim the money. `refund_returned`: the refund came back to the merchant. */
  kind: "order_refunded" | "refund_claim" | "refund_returned";
  refund: RefundRow;
  order: OrderRow;
}

/** Has an email sent to the buyer of a refund if the project sends receipts. Buyers never get emails from TEST. */
export async function notifyBuyer(tx: Tx, ctx: Ctx, { kind, refund, order }: EventsOf): Promise<void> {
  const address = order.customer.email ?? "";
  if (!order.livemode || !address.includes("@")) return;
  const project = await findProject(tx, order.project_id);
  if (project?.settings.buyer_receipts !== true) return;
  const params = { project_id: order.project_id, livemode: order.livemode, order_id: order.id, refund_id: refund.id };
  await notice(tx, ctx, { kind, recipient: address, params });
}
