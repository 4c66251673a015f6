import type { Ctx, Tenant } from "#platform/index.ts";
import { orderErrors } from "../errors.ts";
import { findLinkByToken } from "../rows/links.sql.ts";
import { listBundles } from "../rows/orders.sql.ts";
import { findLatestVoucher } from "../rows/vouchers.sql.ts";
import type { LinkRow, OrderBundle, VoucherRow } from "../shapes.ts";

/** What a link leads to. `link` is the one that the token names, which may be revoked and older than the order's own. */
export interface Linked extends OrderBundle {
  link: LinkRow;
  voucher: VoucherRow | null;
}

/** Follows a payment link's token. Throws payment_link_not_found for anything that never was one. */
export async function findByToken(ctx: Pick<Ctx, "db">, token: string): Promise<Linked> {
  if (!/^pl_(test|live)_[0-9A-Za-z]{32}$/.test(token)) throw orderErrors.payment_link_not_found();
  const link = await findLinkByToken(ctx.db, token);
  if (link === null) throw orderErrors.payment_link_not_found();
  const tenant: Tenant = { project_id: link.project_id, livemode: link.livemode };
  const [[bundle], voucher] = await Promise.all([listBundles(ctx.db, [{ ...tenant, id: link.order_id }]), findLatestVoucher(ctx.db, tenant, link.order_id)]);
  if (bundle === undefined) throw orderErrors.payment_link_not_found();
  return { order: bundle.order, session: bundle.session, link, voucher };
}
