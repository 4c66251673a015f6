import { findCursor, type Tenant } from "#platform/index.ts";
import { cutOf, type Db, type Fragment, likeStart, listEnd, type PageCut, type Rows, sql } from "#platform/sql.ts";
import { type BundleRow, findNewestParts, orderColumns } from "../rows/orders.sql.ts";
import type { OrderRow } from "../shapes.ts";

/** Filters of the order list; an absent one matches everything. */
export interface OrderFilters {
  status?: string[];
  reference?: string[];
  gateway?: string[];
  currency?: string[];
  created_gte?: Date;
  created_gt?: Date;
  created_lte?: Date;
  created_lt?: Date;
  q?: string;
  /** The customer's email address, in any case. */
  customer_email?: string[];
  /** Only canceled orders whose buyer claimed at or after this time to have paid. */
  claimed_gte?: Date;
  /** Keys and values that the order's metadata must have. */
  metadata?: Record<string, string>;
}

/** The page is cut before links and sessions are looked up; counting looks up neither. */
export function listOrderRows(
  db: Db,
  tenant: Tenant,
  given: { filters: OrderFilters; cut: PageCut | null },
): PromiseLike<Rows<BundleRow>> & Fragment {
  const tag = sql(db);
  if (given.cut === null) return tag<BundleRow>`select o.id from orders o where ${whereOf(db, tenant, given.filters)}`;
  return tag<BundleRow>`
    select ${orderColumns.of("o")}, l.link, s.session ${findCursor(db, tenant, { table: tag`orders`, cut: given.cut })}
    from (select ${orderColumns} from orders o where ${whereOf(db, tenant, given.filters)} ${listEnd(db, tag`o.id`, cutOf(given))}) o
    ${findNewestParts(db)}
    order by o.id ${given.cut.ending_before === undefined ? tag`desc` : tag`asc`}`;
}

function whereOf(db: Db, tenant: Tenant, filters: OrderFilters): Fragment {
  const tag = sql(db);
  // One fragment for all absent ones: each fragment costs as much as a promise.
  const none = tag``;
  const { status, reference, gateway, currency, q } = filters;
  const emails = filters.customer_email?.map((email) => email.toLowerCase());
  return tag`o.project_id = ${tenant.project_id} and o.livemode = ${tenant.livemode}
    ${status === undefined ? none : tag`and o.status = any (${status}::text[])`}
    ${reference === undefined ? none : tag`and o.reference = any (${reference}::text[])`}
    ${currency === undefined ? none : tag`and o.currency = any (${currency}::text[])`}
    ${
      gateway === undefined
        ? none
        : tag`and exists (select from payment_sessions g
      where g.project_id = o.project_id and g.livemode = o.livemode and g.order_id = o.id and g.gateway = any (${gateway}::text[]))`
    }
    ${filters.created_gte === undefined ? none : tag`and o.created_at >= ${filters.created_gte}`}
    ${filters.created_gt === undefined ? none : tag`and o.created_at > ${filters.created_gt}`}
    ${filters.created_lte === undefined ? none : tag`and o.created_at <= ${filters.created_lte}`}
    ${filters.created_lt === undefined ? none : tag`and o.created_at < ${filters.created_lt}`}
    ${emails === undefined ? none : tag`and lower(o.customer ->> 'email') = any (${emails}::text[])`}
    ${filters.claimed_gte === undefined ? none : tag`and o.claimed_at >= ${filters.claimed_gte}`}
    ${filters.metadata === undefined ? none : tag`and o.metadata @> ${tag.json(filters.metadata)}::jsonb`}
    ${q === undefined ? none : searchOf(db, q)}`;
}

/** A search word is an id, the beginning of a reference, or the beginning of a customer's email address. */
function searchOf(db: Db, q: string): Fragment {
  const prefix = likeStart(q);
  return sql(db)`and (o.id = ${q} or o.reference like ${prefix} or lower(o.customer ->> 'email') like ${prefix.toLowerCase()})`;
}

export async function countOrder(db: Db, tenant: Tenant, id: string): Promise<number> {
  const rows = await sql(db)<Pick<OrderRow, "id">>`
    select id from orders where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and id = ${id}`;
  return rows.count;
}

export async function findOrderId(db: Db, tenant: Tenant, id: string): Promise<string | null> {
  return (await countOrder(db, tenant, id)) === 0 ? null : id;
}
