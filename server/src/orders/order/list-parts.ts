import { type EventRow, findEventOf, listEventRows } from "#events/index.ts";
import { type Ctx, cutPage, type Page, type PageQuery, platformErrors, readPage, type Tenant } from "#platform/index.ts";
import { listGatewayPaymentRows } from "../rows/gateway-payments.sql.ts";
import { findLink } from "../rows/links.sql.ts";
import { findOrderRow } from "../rows/orders.sql.ts";
import { listSessionRows } from "../rows/sessions.sql.ts";
import { listVoucherRows } from "../rows/vouchers.sql.ts";
import type { GatewayPaymentBundle, LinkRow, SessionRow, VoucherRow } from "../shapes.ts";
import { countOrder } from "./list.sql.ts";

/** An order has few parts (five proofs, some sessions), so they are read in full; only its events can be many. */
export interface PartQuery extends PageQuery {
  order_id: string;
}

/** The order's payment sessions, newest first, with the link that shows their codes. */
export async function listPayments(ctx: Ctx, tenant: Tenant, query: PartQuery): Promise<Page<SessionRow> & { link: LinkRow | null }> {
  await requireOrder(ctx, tenant, query.order_id);
  const rows = await listSessionRows(ctx.db, tenant, [query.order_id]);
  return { ...cutPage(rows.toSorted(newestFirst), query), link: await findLink(ctx.db, tenant, query.order_id) };
}

/** Ids begin with their time. */
export function newestFirst(one: { id: string }, other: { id: string }): number {
  return one.id < other.id ? 1 : -1;
}

/** The order's payments at providers, newest first. */
export async function listGatewayPayments(
  ctx: Ctx,
  tenant: Tenant,
  query: PartQuery,
): Promise<Page<GatewayPaymentBundle & { id: string }>> {
  const order = await findOrderRow(ctx.db, tenant, query.order_id);
  if (order === null) throw platformErrors.resource_missing({ param: "id" });
  const sessions = new Map((await listSessionRows(ctx.db, tenant, [order.id])).map((session) => [session.id, session]));
  const payments = await listGatewayPaymentRows(ctx.db, tenant, [...sessions.keys()]);
  const link = await findLink(ctx.db, tenant, order.id);
  const bundles = payments.flatMap((payment) => {
    const session = sessions.get(payment.payment_session_id);
    return session === undefined ? [] : [{ id: payment.id, payment, session, order, link }];
  });
  return cutPage(bundles, query);
}

/** The order's proofs, newest first. */
export async function listVouchers(ctx: Ctx, tenant: Tenant, query: PartQuery): Promise<Page<VoucherRow>> {
  await requireOrder(ctx, tenant, query.order_id);
  return cutPage(await listVoucherRows(ctx.db, tenant, [query.order_id]), query);
}

/** The order's events as they are delivered, newest first, except those named in `without`. */
export async function listOrderEvents(
  ctx: Ctx,
  tenant: Tenant,
  query: PartQuery & { without?: readonly string[] },
): Promise<Page<EventRow>> {
  await requireOrder(ctx, tenant, query.order_id);
  const of = { object_id: query.order_id, without: query.without ?? [] };
  return readPage(ctx.db, query, {
    find: (cut) => listEventRows(ctx.db, tenant, { ...of, cut }),
    place: (id) => findEventOf(ctx.db, tenant, { ...of, id }),
  });
}

export async function requireOrder(ctx: Ctx, tenant: Tenant, id: string): Promise<void> {
  if ((await countOrder(ctx.db, tenant, id)) === 0) throw platformErrors.resource_missing({ param: "id" });
}
