import { type Ctx, cutPage, type Page, type PageQuery, platformErrors, readPage, type Tenant } from "#platform/index.ts";
import { type PartQuery, requireOrder } from "../order/list-parts.ts";
import { findRefundRow, listRefundRows, listRefundsOfOrders, type RefundFilters } from "../rows/refunds.sql.ts";
import type { RefundRow } from "../shapes.ts";

/** One refund. Throws resource_missing. */
export async function findRefund(ctx: Ctx, tenant: Tenant, id: string): Promise<RefundRow> {
  const refund = await findRefundRow(ctx.db, tenant, id);
  if (refund === null) throw platformErrors.resource_missing({ param: "id" });
  return refund;
}

/** A page of the project's refunds, newest first. Throws invalid_cursor for an id that isn't a refund of this tenant. */
export function listRefunds(ctx: Ctx, tenant: Tenant, query: PageQuery & { filters: RefundFilters }): Promise<Page<RefundRow>> {
  return readPage(ctx.db, query, {
    find: (cut) => listRefundRows(ctx.db, tenant, { filters: query.filters, cut }),
    place: (id) => findRefundRow(ctx.db, tenant, id),
  });
}

/** The order's refunds, including those of its exceptions, newest first. */
export async function listOrderRefunds(ctx: Ctx, tenant: Tenant, query: PartQuery): Promise<Page<RefundRow>> {
  await requireOrder(ctx, tenant, query.order_id);
  return cutPage(await listRefundsOfOrders(ctx.db, tenant, [query.order_id]), query);
}
