import { type Ctx, type Db, platformErrors, type Tenant } from "#platform/index.ts";
import { listSessionRows } from "../session/sql.ts";
import type { OrderBundle, Page, SessionRow, VoucherRow } from "../shapes.ts";
import { listVoucherRows } from "../voucher/sql.ts";
import { type Cursor, countOrder, countOrderRows, listOrderRows, type OrderFilters } from "./list.sql.ts";
import { listBundles } from "./sql.ts";

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

export interface OrderList extends Page<OrderBundle> {
  total_count: number | null;
}

/** A page of orders, newest first. Throws invalid_cursor for an id that is no order of this tenant. */
export async function listOrders(ctx: Ctx, tenant: Tenant, query: Cursor & { filters: OrderFilters; total?: boolean }): Promise<OrderList> {
  const rows = await listOrderRows(ctx.db, tenant, query);
  const cursor = query.starting_after ?? query.ending_before;
  if (cursor !== undefined && (await countOrder(ctx.db, tenant, cursor)) === 0)
    throw platformErrors.invalid_cursor({ param: query.starting_after === undefined ? "ending_before" : "starting_after" });
  const page = rows.slice(0, query.limit);
  if (query.ending_before !== undefined) page.reverse();
  const total_count = query.total === true ? await countOrderRows(ctx.db, tenant, query.filters) : null;
  return { rows: page, has_more: rows.length > query.limit, total_count };
}

/** Sessions and proofs of several orders at once, for `expand[]`. */
export async function listExpansions(ctx: Ctx, tenant: Tenant, orderIds: string[]): Promise<{ sessions: SessionRow[]; vouchers: VoucherRow[] }> {
  const [sessions, vouchers] = await Promise.all([listSessionRows(ctx.db, tenant, orderIds), listVoucherRows(ctx.db, tenant, orderIds)]);
  return { sessions, vouchers };
}
