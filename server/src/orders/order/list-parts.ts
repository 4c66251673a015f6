import { type EventRow, listEventsOf } from "#events/index.ts";
import { type Ctx, platformErrors, type Tenant } from "#platform/index.ts";
import { findLink } from "../link/sql.ts";
import { listSessionRows } from "../session/sql.ts";
import type { LinkRow, Page, SessionRow, VoucherRow } from "../shapes.ts";
import { listVoucherRows } from "../voucher/sql.ts";
import { countOrder } from "./list.sql.ts";

export interface PartQuery {
  order_id: string;
  starting_after?: string;
  ending_before?: string;
  limit: number;
}

/** A page of an order's parts, with the number of them all. */
export interface Part<Row> extends Page<Row> {
  total_count: number;
}

/** The order's payment sessions, newest first, with the link that their codes are shown on. */
export async function listPayments(ctx: Ctx, tenant: Tenant, query: PartQuery): Promise<Part<SessionRow> & { link: LinkRow | null }> {
  await requireOrder(ctx, tenant, query.order_id);
  const rows = await listSessionRows(ctx.db, tenant, [query.order_id]);
  return { ...pageOf(rows, query), link: await findLink(ctx.db, tenant, query.order_id) };
}

/** The order's proofs, newest first. */
export async function listVouchers(ctx: Ctx, tenant: Tenant, query: PartQuery): Promise<Part<VoucherRow>> {
  await requireOrder(ctx, tenant, query.order_id);
  return pageOf(await listVoucherRows(ctx.db, tenant, [query.order_id]), query);
}

/** The order's events as they are delivered, newest first. */
export async function listOrderEvents(ctx: Ctx, tenant: Tenant, query: PartQuery): Promise<Part<EventRow>> {
  await requireOrder(ctx, tenant, query.order_id);
  const rows = await listEventsOf(ctx.db, tenant, { object_id: query.order_id, after: null, limit: 1000 });
  return pageOf(rows, query);
}

export async function requireOrder(ctx: Ctx, tenant: Tenant, id: string): Promise<void> {
  if ((await countOrder(ctx.db, tenant, id)) === 0) throw platformErrors.resource_missing({ param: "id" });
}

/** An order has few parts (five proofs, some sessions and events), so that its pages are cut here. */
export function pageOf<Row extends { id: string }>(rows: Row[], query: PartQuery): Part<Row> {
  const cursor = query.starting_after ?? query.ending_before;
  const at = cursor === undefined ? -1 : rows.findIndex((row) => row.id === cursor);
  if (cursor !== undefined && at === -1)
    throw platformErrors.invalid_cursor({ param: query.starting_after === undefined ? "ending_before" : "starting_after" });
  const total_count = rows.length;
  if (query.ending_before !== undefined) return { rows: rows.slice(Math.max(0, at - query.limit), at), has_more: at > query.limit, total_count };
  const rest = rows.slice(at + 1);
  return { rows: rest.slice(0, query.limit), has_more: rest.length > query.limit, total_count };
}
