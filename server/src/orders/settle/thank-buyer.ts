import { type Ctx, notice, pipeline, type Tx } from "#platform/index.ts";
import { findProject } from "#projects/index.ts";
import type { OrderRow } from "../shapes.ts";

interface Thanks {
  ctx: Ctx;
  order: OrderRow;
  gateway: string;
}

/** Has a receipt sent to buyers with an address, if the merchant turned this on. Buyers never get emails from TEST. */
export async function thankBuyers(tx: Tx, paid: readonly Thanks[]): Promise<void> {
  const reachable = paid.filter(({ order }) => order.livemode && (order.customer.email ?? "").includes("@"));
  if (reachable.length === 0) return;
  const ids = [...new Set(reachable.map(({ order }) => order.project_id))];
  const [projects] = await pipeline(tx, (pipe) => [ids.map((id) => findProject(pipe, id))]);
  const willing = new Set(projects.flatMap((project) => (project?.settings.buyer_receipts === true ? [project.id] : [])));
  const wanted = reachable.filter(({ order }) => willing.has(order.project_id));
  await pipeline(tx, (pipe) => [
    wanted.map(({ ctx, order, gateway }) => {
      const params = { project_id: order.project_id, livemode: order.livemode, order_id: order.id, gateway };
      return notice(pipe, ctx, { kind: "order_paid", recipient: order.customer.email ?? "", params });
    }),
  ]);
}
