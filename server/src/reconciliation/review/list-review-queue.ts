import { bundleOf, type OrderBundle } from "#orders/index.ts";
import { type Ctx, type Page, type PageQuery, readPage, type Tenant } from "#platform/index.ts";
import { findReportedOrderId, listWaitingOrderRows } from "./review-queue.sql.ts";

/** A page of the orders that wait for a review, the oldest report first. Throws invalid_cursor for an order without a reported payment. */
export async function listReviewQueue(ctx: Pick<Ctx, "db">, tenant: Tenant, query: PageQuery): Promise<Page<OrderBundle>> {
  const { rows, ...page } = await readPage(ctx.db, query, {
    find: (cut) => listWaitingOrderRows(ctx.db, tenant, cut),
    place: (id) => findReportedOrderId(ctx.db, tenant, id),
  });
  return { rows: rows.map(bundleOf), ...page };
}
