import { type Ctx, gatherReads, type Page, type PageQuery, platformErrors, readPage, type Tenant } from "#platform/index.ts";
import { bundleOf, listBundles } from "../rows/orders.sql.ts";
import { listRefundsOfOrders } from "../rows/refunds.sql.ts";
import { listSessionRows } from "../rows/sessions.sql.ts";
import { listVoucherRows } from "../rows/vouchers.sql.ts";
import type { OrderBundle, RefundRow, SessionRow, VoucherRow } from "../shapes.ts";
import { findOrderId, listOrderRows, type OrderFilters } from "./list.sql.ts";
import { newestFirst } from "./list-parts.ts";

type OrderKey = Tenant & { id: string };

const readOrder = gatherReads<OrderKey, OrderBundle | null>(async (db, keys) => {
  const byName = new Map((await listBundles(db, keys)).map((bundle) => [nameOf(bundle.order), bundle]));
  return keys.map((key) => byName.get(nameOf(key)) ?? null);
});

/** One order with its newest link and current session. Throws resource_missing. */
export async function findOrder(ctx: Ctx, tenant: Tenant, id: string): Promise<OrderBundle> {
  const bundle = await readOrder(ctx.db, { project_id: tenant.project_id, livemode: tenant.livemode, id });
  if (bundle === null) throw platformErrors.resource_missing({ param: "id" });
  return bundle;
}

function nameOf(key: OrderKey): string {
  return `${key.project_id} ${key.livemode} ${key.id}`;
}

/** A page of orders, newest first. Throws invalid_cursor for an id that isn't an order of this tenant. */
export async function listOrders(ctx: Ctx, tenant: Tenant, query: PageQuery & { filters: OrderFilters }): Promise<Page<OrderBundle>> {
  const { rows, ...page } = await readPage(ctx.db, query, {
    find: (cut) => listOrderRows(ctx.db, tenant, { filters: query.filters, cut }),
    place: (id) => findOrderId(ctx.db, tenant, id),
    findsCursor: true,
  });
  return { rows: rows.map(bundleOf), ...page };
}

interface Expansions {
  sessions: SessionRow[];
  vouchers: VoucherRow[];
  refunds: RefundRow[];
}

/** Sessions, proofs and refunds of several orders at once, newest first, for `expand[]`. */
export async function listExpansions(ctx: Ctx, tenant: Tenant, orderIds: string[]): Promise<Expansions> {
  const [sessions, vouchers, refunds] = await Promise.all([
    listSessionRows(ctx.db, tenant, orderIds),
    listVoucherRows(ctx.db, tenant, orderIds),
    listRefundsOfOrders(ctx.db, tenant, orderIds),
  ]);
  return { sessions: sessions.toSorted(newestFirst), vouchers, refunds };
}
