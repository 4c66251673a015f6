import { type Ctx, type Db, gatherReadsOf } from "#platform/index.ts";
import { orderErrors } from "../errors.ts";
import { findHeldMinor } from "../rows/exceptions.sql.ts";
import { type LinkedRow, listLinked } from "../rows/linked.sql.ts";
import type { OrderRow } from "../shapes.ts";
import { listGatewaysOfOrder } from "./gateways-of-order.sql.ts";

/**
 * The target of a link. `link` is the one with the token, which may be revoked and older than the order's current one; what is open or
 * expired is relative to `now`.
 */
export interface Linked extends LinkedRow {
  /** For a canceled order: how much of its money is held, and the gateways of its payments. */
  canceled: { held_minor: number; gateways: string[] } | null;
}

/** Pages of any orders that are opened at the same time share a statement. */
const readLinked = gatherReadsOf<string, LinkedRow | null>(
  (token) => token,
  async (db, tokens) => {
    const byToken = new Map((await listLinked(db, [...new Set(tokens)])).map((linked) => [linked.link.token, linked]));
    return tokens.map((token) => byToken.get(token) ?? null);
  },
);

/** Follows a payment link's token. Throws payment_link_not_found for anything that never was one. */
export async function findByToken(ctx: Pick<Ctx, "db">, token: string): Promise<Linked> {
  if (!/^pl_(test|live)_[0-9A-Za-z]{32}$/.test(token)) throw orderErrors.payment_link_not_found();
  const linked = await readLinked(ctx.db, token);
  if (linked === null) throw orderErrors.payment_link_not_found();
  return { ...linked, canceled: linked.order.status === "canceled" ? await describeCanceled(ctx.db, linked.order) : null };
}

async function describeCanceled(db: Db, order: OrderRow): Promise<Linked["canceled"]> {
  const [held_minor, gateways] = await Promise.all([findHeldMinor(db, order, order.id), listGatewaysOfOrder(db, order, order.id)]);
  return { held_minor, gateways };
}
