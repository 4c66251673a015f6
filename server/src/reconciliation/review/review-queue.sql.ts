import { type BundleRow, findNewestParts, orderColumns } from "#orders/index.ts";
import type { Tenant } from "#platform/index.ts";
import { type Db, type Fragment, type PageCut, type Rows, sql } from "#platform/sql.ts";

/**
 * Orders that wait for a review, the earliest report first. The page is cut within the index of waiting orders; counting only reads that
 * index.
 */
export function listWaitingOrderRows(db: Db, tenant: Tenant, cut: PageCut | null): PromiseLike<Rows<BundleRow>> & Fragment {
  const tag = sql(db);
  if (cut === null)
    return tag<BundleRow>`
      select w.order_id from payment_sessions w
      where w.project_id = ${tenant.project_id} and w.livemode = ${tenant.livemode} and w.status = 'pending_verify'`;
  const upwards = cut.ending_before !== undefined;
  const order = upwards ? tag`desc` : tag`asc`;
  return tag<BundleRow>`
    select ${orderColumns.of("o")}, l.link, s.session
    from (
      select w.order_id, w.reported_at from payment_sessions w
      where w.project_id = ${tenant.project_id} and w.livemode = ${tenant.livemode}
        and w.status = 'pending_verify' ${beyond(db, tenant, cut)}
      order by w.reported_at ${order}, w.order_id ${order} limit ${cut.limit + 1}) w
    join orders o on o.project_id = ${tenant.project_id} and o.livemode = ${tenant.livemode} and o.id = w.order_id
    ${findNewestParts(db)}
    order by w.reported_at ${order}, w.order_id ${order}`;
}

function beyond(db: Db, tenant: Tenant, { starting_after, ending_before }: PageCut): Fragment {
  const tag = sql(db);
  const cursor = starting_after ?? ending_before;
  if (cursor === undefined) return tag``;
  const place = reportOf(db, tenant, String(cursor));
  return ending_before === undefined
    ? tag`and (w.reported_at, w.order_id) > (${place})`
    : tag`and (w.reported_at, w.order_id) < (${place})`;
}

/** An order keeps its place after the decision, so that a reviewer can continue from there. */
function reportOf(db: Db, tenant: Tenant, orderId: string): Fragment {
  return sql(db)`
    select c.reported_at, c.order_id from payment_sessions c
    where c.project_id = ${tenant.project_id} and c.livemode = ${tenant.livemode} and c.order_id = ${orderId} and c.reported_at is not null
    order by c.reported_at desc limit 1`;
}

/** The order's id if a payment of it was reported; otherwise null. */
export async function findReportedOrderId(db: Db, tenant: Tenant, orderId: string): Promise<string | null> {
  const [row] = await sql(db)<{ order_id: string }>`${reportOf(db, tenant, orderId)}`;
  return row?.order_id ?? null;
}
