import { type Ctx, cutPage, type Page, type Tenant } from "#platform/index.ts";
import type { DisputeRow } from "../dispute-row.ts";
import { type PartQuery, requireOrder } from "../order/list-parts.ts";
import { listDisputesOfOrder } from "../rows/disputes.sql.ts";

/** Disputes of the order's payments, newest first. */
export async function listOrderDisputes(ctx: Ctx, tenant: Tenant, query: PartQuery): Promise<Page<DisputeRow>> {
  await requireOrder(ctx, tenant, query.order_id);
  return cutPage(await listDisputesOfOrder(ctx.db, { ...tenant, id: query.order_id }), query);
}
