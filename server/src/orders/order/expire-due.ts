import { emitAll } from "#events/index.ts";
import { type Ctx, sweepRows, type Tenant, type Tx } from "#platform/index.ts";
import { failureEvents } from "../order-events.ts";
import { updateOrder } from "../rows/orders.sql.ts";
import { type SessionMoving, updateOpenSessions, updateSessions } from "../rows/sessions.sql.ts";
import type { OrderRow } from "../shapes.ts";
import { lockDueOrders, lockDueSessions } from "./due.sql.ts";

const task = "expire_orders";

/**
 * Ends expired orders and payment sessions, at most `limit` of each; returns how many. Several processes can run it at once. One that can't
 * be ended is put off, and keeps none of the others open.
 */
export async function expireDue(ctx: Ctx, limit = 100): Promise<number> {
  let done = 0;
  try {
    done += await sweepOrders(ctx, limit);
  } finally {
    // Also if orders can't be ended at all.
    done += await sweepSessions(ctx, limit);
  }
  return done;
}

function sweepOrders(ctx: Ctx, limit: number): Promise<number> {
  return sweepRows<OrderRow>(ctx, {
    task,
    kind: "order",
    limit,
    take: lockDueOrders,
    nameOf: ({ id }) => id,
    ownerOf: ({ project_id }) => project_id,
    work: (tx, due) => expireOrders(tx, ctx, due),
  });
}

function sweepSessions(ctx: Ctx, limit: number): Promise<number> {
  return sweepRows<Tenant & { id: string }>(ctx, {
    task,
    kind: "payment_session",
    limit,
    take: lockDueSessions,
    nameOf: ({ id }) => id,
    ownerOf: ({ project_id }) => project_id,
    work: expireSessions,
  });
}

async function expireOrders(tx: Tx, ctx: Ctx, due: readonly OrderRow[]): Promise<number> {
  const expired: OrderRow[] = [];
  for (const order of due) expired.push(await expireOrder(tx, order));
  await emitAll(
    tx,
    ctx,
    expired.flatMap((order) => failureEvents(order).map((event) => ({ ...event, tenant: order }))),
  );
  return expired.length;
}

async function expireSessions(tx: Tx, due: readonly (Tenant & { id: string })[]): Promise<number> {
  const moving = due.map((session): SessionMoving => ({ session, move: { from: ["pending"], to: "expired" } }));
  return (await updateSessions(tx, moving)).length;
}

/** Moves one locked, unpaid order with its open session to expired; the caller emits. */
export async function expireOrder(tx: Tx, order: OrderRow): Promise<OrderRow> {
  const expired = await updateOrder(tx, order, { from: ["unpaid"], to: "expired", failureCode: "expired" });
  if (expired === null) throw new Error("a locked order changed under its lock");
  await updateOpenSessions(tx, order, { orderId: order.id, to: "expired", except: null });
  return expired;
}
