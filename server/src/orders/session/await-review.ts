import { emit } from "#events/index.ts";
import { type Ctx, isUniqueViolation, notice, platformErrors, type Tx, trySavepoint } from "#platform/index.ts";
import { orderErrors } from "../errors.ts";
import { pendingVerifyEvent } from "../order-events.ts";
import { findReferenceHolder, updateOrder } from "../rows/orders.sql.ts";
import { findLatestSession, findLatestSessionOf, lockOpenSession, updateSession } from "../rows/sessions.sql.ts";
import { isPersonal, type OrderRow, type SessionRow, type VoucherRow } from "../shapes.ts";
import { closeOpen } from "./prepare-start.ts";
import { recordSession } from "./record-session.ts";
import type { ClosedSessions } from "./starting.ts";

/** Proofs that arrive within a minute are reported together. */
const gatherMs = 60_000;

/** Whether the buyer paid with a receiving code other than the open payment. */
export function isOther(open: SessionRow, gateway: string | null): boolean {
  return gateway !== null && isPersonal(gateway) && open.gateway !== gateway;
}

/**
 * Moves a locked order and its session to pending_verify, at the time of `ctx`; `moved` is null if both already waited. `closed`: sessions
 * whose payments were closed at their providers. Throws session_active and OpenAtProvider.
 */
export async function awaitReview(
  tx: Tx,
  ctx: Ctx,
  given: { order: OrderRow; gateway: string | null; closed?: ClosedSessions },
): Promise<{ session: SessionRow; moved: OrderRow | null }> {
  const { order, gateway, closed = new Map() } = given;
  if (order.status === "paid") throw orderErrors.order_already_paid();
  if (order.status === "canceled") throw orderErrors.order_state_conflict({ fields: { status: order.status } });
  const open = await lockOpenSession(tx, order, order.id);
  if (order.status === "pending_verify" && open !== null) return { session: open, moved: null };
  const isElsewhere = open !== null && isOther(open, gateway);
  if (isElsewhere) await closeOpen(tx, { open, now: ctx.now(), closed });
  // A payment that the provider proves needs no review.
  else if (open?.method_data?.type === "gateway" && order.status === "unpaid") throw orderErrors.session_active();
  const session =
    open === null || isElsewhere
      ? await lateSession(tx, ctx, { order, gateway })
      : await updateSession(tx, open, { from: ["pending", "processing"], to: "pending_verify", reported: true });
  const moved = await moveToReview(tx, order);
  if (moved === null || session === null) throw new Error("a locked order changed under its lock");
  return { session, moved };
}

/** An ended order is revived here, so its reference must still be free. */
async function moveToReview(tx: Tx, order: OrderRow): Promise<OrderRow | null> {
  const move = (inner: Tx) =>
    updateOrder(inner, order, { from: ["unpaid", "expired", "failed"], to: "pending_verify", rejection: null, failureCode: null });
  const tried = await trySavepoint(tx, move, (error) => isUniqueViolation(error, "orders_reference"));
  if (!tried.ok)
    throw orderErrors.reference_exists({ fields: { existing_order_id: await findReferenceHolder(tx, order, order.reference) } });
  return tried.value;
}

/** Notifies the merchant's systems and its reviewers of a payment that needs a decision. */
export async function announceReview(
  tx: Tx,
  ctx: Ctx,
  given: { order: OrderRow; session: SessionRow; voucher: VoucherRow | null },
): Promise<void> {
  const { order, session, voucher } = given;
  await emit(tx, ctx, { tenant: order, events: [pendingVerifyEvent(order, session, voucher)] });
  const params = { order_id: order.id, livemode: order.livemode };
  await notice(tx, ctx, { kind: "proof_waiting", recipient: order.project_id, params, gather_ms: gatherMs });
}

/** A session for money that was paid without one that is still open: after expiry or a switch, or from a code seen elsewhere. */
async function lateSession(tx: Tx, ctx: Ctx, given: { order: OrderRow; gateway: string | null }): Promise<SessionRow> {
  const { order } = given;
  const last =
    given.gateway === null
      ? await findLatestSession(tx, order, order.id)
      : await findLatestSessionOf(tx, order, { orderId: order.id, gateway: given.gateway });
  const gateway = given.gateway ?? (last !== null && isPersonal(last.gateway) ? last.gateway : null);
  if (gateway === null)
    throw platformErrors.parameter_missing({
      param: "gateway",
      reason: "gateway_needed",
      message: "Without an open payment, send the gateway the money went through.",
    });
  return recordSession(tx, ctx, { order, gateway, last, reported: true });
}
