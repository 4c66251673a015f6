import { type Ctx, type Db, findNow, type Tenant } from "#platform/index.ts";
import { orderErrors } from "../errors.ts";
import { findHeldMinor } from "../rows/exceptions.sql.ts";
import { findLinkByToken } from "../rows/links.sql.ts";
import { listBundles } from "../rows/orders.sql.ts";
import { findReturnedMinor, listClaims } from "../rows/refunds.sql.ts";
import { listGatewaysOfOrder } from "../rows/sessions.sql.ts";
import { findLatestVoucher } from "../rows/vouchers.sql.ts";
import type { LinkRow, OrderBundle, OrderRow, VoucherRow } from "../shapes.ts";

/** The target of a link. `link` is the one with the token, which may be revoked and older than the order's current one. */
export interface Linked extends OrderBundle {
  link: LinkRow;
  voucher: VoucherRow | null;
  /** For a canceled order: how much of its money is held, and the gateways of its payments. */
  canceled: { held_minor: number; gateways: string[] } | null;
  /** Refunds that the buyer has to claim, and where. */
  claims: { amount_minor: number; url: string }[];
  /** Refunds to the buyer that came back to the merchant. */
  returned_minor: number;
  /** The database's time of this read; what is open or expired is relative to it. */
  now: Date;
}

/** Follows a payment link's token. Throws payment_link_not_found for anything that never was one. */
export async function findByToken(ctx: Pick<Ctx, "db">, token: string): Promise<Linked> {
  if (!/^pl_(test|live)_[0-9A-Za-z]{32}$/.test(token)) throw orderErrors.payment_link_not_found();
  const link = await findLinkByToken(ctx.db, token);
  if (link === null) throw orderErrors.payment_link_not_found();
  const tenant: Tenant = { project_id: link.project_id, livemode: link.livemode };
  const [[bundle], voucher, claims, returned_minor, now] = await Promise.all([
    listBundles(ctx.db, [{ ...tenant, id: link.order_id }]),
    findLatestVoucher(ctx.db, tenant, link.order_id),
    listClaims(ctx.db, tenant, link.order_id),
    findReturnedMinor(ctx.db, tenant, link.order_id),
    findNow(ctx.db),
  ]);
  if (bundle === undefined) throw orderErrors.payment_link_not_found();
  const { order, session } = bundle;
  const canceled = order.status === "canceled" ? await describeCanceled(ctx.db, order) : null;
  return { order, session, link, voucher, canceled, claims, returned_minor, now };
}

async function describeCanceled(db: Db, order: OrderRow): Promise<Linked["canceled"]> {
  const [held_minor, gateways] = await Promise.all([findHeldMinor(db, order, order.id), listGatewaysOfOrder(db, order, order.id)]);
  return { held_minor, gateways };
}
