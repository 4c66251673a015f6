import { emit } from "#events/index.ts";
import { atNow, type Ctx, isUniqueViolation, notice, platformErrors, type Tenant, type Tx, trySavepoint } from "#platform/index.ts";
import { orderErrors } from "../errors.ts";
import { pendingVerifyEvent } from "../order-events.ts";
import { restartMs, watchMs } from "../polling/calendar.ts";
import { updateWatchRestarted } from "../rows/gateway-payments.sql.ts";
import { findReferenceHolder, lockOrder, updateOrder } from "../rows/orders.sql.ts";
import { findLatestSession, lockOpenSession, updateSession } from "../rows/sessions.sql.ts";
import { isPersonal, type OrderRow, type SessionRow, type VoucherRow } from "../shapes.ts";
import { claimCanceled } from "./claim-canceled.ts";
import { recordSession } from "./record-session.ts";

/** Proofs that arrive within a minute are reported together. */
const gatherMs = 60_000;

export interface Reported {
  order: OrderRow;
  session: SessionRow;
}

/**
 * "I have paid": the order waits for a person from now on and doesn't expire. Also works after expiry, because the buyer's money may be on
 * its way. Without an open session, `gateway` names the channel. Reporting again changes nothing. A payment through a gateway is confirmed
 * by its provider, who is asked right away. A canceled order stays canceled and stores the report.
 */
export async function reportPayment(ctx: Ctx, tenant: Tenant, input: { order_id: string; gateway?: string }): Promise<Reported> {
  return ctx.transact(async (tx) => {
    const order = await lockOrder(tx, tenant, input.order_id);
    const pinned = await atNow(ctx, tx);
    if (order === null) throw platformErrors.resource_missing({ param: "id" });
    if (order.status === "canceled") return claimCanceled(tx, ctx, { order, gateway: input.gateway ?? null });
    const atGateway = await findAtGateway(tx, order);
    if (atGateway !== null) return { order, session: atGateway };
    const { session, moved } = await awaitReview(tx, pinned, { order, gateway: input.gateway ?? null });
    if (moved === null) return { order, session };
    await announceReview(tx, ctx, { order: moved, session, voucher: null });
    return { order: moved, session };
  });
}

/** The open payment of a gateway: its provider reports whether it is paid, and is asked right away. */
async function findAtGateway(tx: Tx, order: OrderRow): Promise<SessionRow | null> {
  const open = await lockOpenSession(tx, order, order.id);
  if (open?.method_data?.type !== "gateway") return null;
  await updateWatchRestarted(tx, [order], { durationMs: watchMs, firstMs: 0, everyMs: restartMs });
  return open;
}

/** Moves a locked order and its session to pending_verify, at the time of `ctx`; `moved` is null if both already waited. */
export async function awaitReview(
  tx: Tx,
  ctx: Ctx,
  given: { order: OrderRow; gateway: string | null },
): Promise<{ session: SessionRow; moved: OrderRow | null }> {
  const { order } = given;
  if (order.status === "paid") throw orderErrors.order_already_paid();
  if (order.status === "canceled") throw orderErrors.order_state_conflict({ fields: { status: order.status } });
  const open = await lockOpenSession(tx, order, order.id);
  // A payment that the provider proves needs no review.
  if (open?.method_data?.type === "gateway" && order.status === "unpaid") throw orderErrors.session_active();
  if (order.status === "pending_verify" && open !== null) return { session: open, moved: null };
  const session =
    open === null
      ? await lateSession(tx, ctx, given)
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

/** A session for money that was paid without one that is still open: after expiry, or from a code seen elsewhere. */
async function lateSession(tx: Tx, ctx: Ctx, given: { order: OrderRow; gateway: string | null }): Promise<SessionRow> {
  const { order } = given;
  const last = await findLatestSession(tx, order, order.id);
  const gateway = given.gateway ?? (last !== null && isPersonal(last.gateway) ? last.gateway : null);
  if (gateway === null)
    throw platformErrors.parameter_missing({
      param: "gateway",
      reason: "gateway_needed",
      message: "Without an open payment, send the gateway the money went through.",
    });
  return recordSession(tx, ctx, { order, gateway, last, reported: true });
}
