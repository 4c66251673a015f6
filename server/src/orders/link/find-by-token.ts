import type { Ctx, Db } from "#platform/index.ts";
import { orderErrors } from "../errors.ts";
import { findHeldMinor } from "../rows/exceptions.sql.ts";
import { findLinkedRow, type LinkedRow } from "../rows/linked.sql.ts";
import { listGatewaysOfOrder } from "../rows/sessions.sql.ts";
import type { OrderRow } from "../shapes.ts";

/**
 * The target of a link. `link` is the one with the token, which may be revoked and older than the order's current one; what is open or
 * expired is relative to `now`.
 */
export interface Linked extends LinkedRow {
  /** For a canceled order: how much of its money is held, and the gateways of its payments. */
  canceled: { held_minor: number; gateways: string[] } | null;
}

/** Follows a payment link's token. Throws payment_link_not_found for anything that never was one. */
export async function findByToken(ctx: Pick<Ctx, "db">, token: string): Promise<Linked> {
  if (!/^pl_(test|live)_[0-9A-Za-z]{32}$/.test(token)) throw orderErrors.payment_link_not_found();
  const linked = await findLinkedRow(ctx.db, token);
  if (linked === null) throw orderErrors.payment_link_not_found();
  return { ...linked, canceled: linked.order.status === "canceled" ? await describeCanceled(ctx.db, linked.order) : null };
}

async function describeCanceled(db: Db, order: OrderRow): Promise<Linked["canceled"]> {
  const [held_minor, gateways] = await Promise.all([findHeldMinor(db, order, order.id), listGatewaysOfOrder(db, order, order.id)]);
  return { held_minor, gateways };
}
