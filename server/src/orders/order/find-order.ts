import { type Ctx, type Db, type Page, type PageQuery, platformErrors, readPage, type Tenant } from "#platform/index.ts";
import { bundleOf, listBundles } from "../rows/orders.sql.ts";
import { listSessionRows } from "../rows/sessions.sql.ts";
import { listVoucherRows } from "../rows/vouchers.sql.ts";
import type { OrderBundle, SessionRow, VoucherRow } from "../shapes.ts";
import { findOrderId, listOrderRows, type OrderFilters } from "./list.sql.ts";

interface Reader {
  waiting: { key: Tenant & { id: string }; resolve(bundle: OrderBundle | null): void; reject(error: unknown): void }[];
  scheduled: boolean;
}

const readers = new WeakMap<Db, Reader>();
const readsAtOnce = 64;

/** One order with its newest link and session. Reads that are waiting at the same moment share one statement. Throws resource_missing. */
export async function findOrder(ctx: Ctx, tenant: Tenant, id: string): Promise<OrderBundle> {
  const bundle = await readTogether(ctx.db, { project_id: tenant.project_id, livemode: tenant.livemode, id });
  if (bundle === null) throw platformErrors.resource_missing({ param: "id" });
  return bundle;
}

function readTogether(db: Db, key: Tenant & { id: string }): Promise<OrderBundle | null> {
  const reader = readers.get(db) ?? { waiting: [], scheduled: false };
  readers.set(db, reader);
  return new Promise((resolve, reject) => {
    reader.waiting.push({ key, resolve, reject });
    if (reader.scheduled) return;
    reader.scheduled = true;
    setImmediate(() => {
      reader.scheduled = false;
      while (reader.waiting.length > 0) void readSome(db, reader.waiting.splice(0, readsAtOnce));
    });
  });
}

async function readSome(db: Db, members: Reader["waiting"]): Promise<void> {
  try {
    const bundles = await listBundles(
      db,
      members.map((member) => member.key),
    );
    const byName = new Map(bundles.map((bundle) => [nameOf(bundle.order), bundle]));
    for (const member of members) member.resolve(byName.get(nameOf(member.key)) ?? null);
  } catch (error) {
    for (const member of members) member.reject(error);
  }
}

function nameOf(key: Tenant & { id: string }): string {
  return `${key.project_id} ${key.livemode} ${key.id}`;
}

/** A page of orders, newest first. Throws invalid_cursor for an id that is no order of this tenant. */
export async function listOrders(ctx: Ctx, tenant: Tenant, query: PageQuery & { filters: OrderFilters }): Promise<Page<OrderBundle>> {
  const { rows, ...page } = await readPage(ctx.db, query, {
    find: (cut) => listOrderRows(ctx.db, tenant, { filters: query.filters, cut }),
    place: (id) => findOrderId(ctx.db, tenant, id),
  });
  return { rows: rows.map(bundleOf), ...page };
}

/** Sessions and proofs of several orders at once, for `expand[]`. */
export async function listExpansions(ctx: Ctx, tenant: Tenant, orderIds: string[]): Promise<{ sessions: SessionRow[]; vouchers: VoucherRow[] }> {
  const [sessions, vouchers] = await Promise.all([listSessionRows(ctx.db, tenant, orderIds), listVoucherRows(ctx.db, tenant, orderIds)]);
  return { sessions, vouchers };
}
