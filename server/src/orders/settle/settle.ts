import { emit } from "#events/index.ts";
import type { Ctx, Tenant, Tx } from "#platform/index.ts";
import { findException, lockHeldParts } from "../exception/sql.ts";
import { findOrderRow, lockOrder, updateOrder } from "../order/sql.ts";
import { sessionEvent } from "../order-events.ts";
import { findSession, updateSession } from "../session/sql.ts";
import type { ExceptionKind, ExceptionRow, OrderFlag, OrderRow } from "../shapes.ts";
import { updateSubmittedVoucher } from "../voucher/sql.ts";
import { decide, type Money, type Verdict } from "./decide.ts";
import { type Arrival, causeOf, holdMoney } from "./hold-money.ts";
import { type Part, payOrder } from "./pay-order.ts";
import { findReceived, insertReceived, type ReceivedRow, updateReceivedOutcome } from "./sql.ts";

export interface Settled {
  outcome: "paid" | "underpaid" | "exception";
  /** True when this external id was seen before; nothing was changed. */
  repeat: boolean;
  order: OrderRow | null;
  exception: ExceptionRow | null;
}

/**
 * The one way in which money changes an order, for callback, reviewer, simulator, receipt, statement and reconciler alike.
 * Runs in the caller's transaction and locks the order; every cent ends as an order's payment or in suspense with an exception, and a repeat changes nothing.
 */
export async function settle(tx: Tx, ctx: Ctx, given: { tenant: Tenant; money: Money }): Promise<Settled> {
  const { tenant, money } = given;
  // Sent together, carried out in this order: the order's lock is held before its parts are looked at.
  const [order, session, held] = await Promise.all([
    money.order_id === null ? null : lockOrder(tx, tenant, money.order_id),
    money.session_id === null ? null : findSession(tx, tenant, money.session_id),
    money.order_id === null ? [] : lockHeldParts(tx, tenant, money.order_id),
  ]);
  const heldMinor = held.reduce((sum, exception) => sum + exception.amount_minor, 0);
  const verdict = decide({ order, session, heldMinor, money });
  const arrival = { tenant, money, order, session, held };
  if (!(await insertReceived(tx, receivedRow(ctx, arrival, verdict)))) return firstResult(tx, tenant, money);
  if (verdict.kind === "pay" && order !== null) return settlePaid(tx, ctx, { ...arrival, verdict, order });
  if (verdict.kind === "underpaid" && order !== null) return settleShort(tx, ctx, { ...arrival, order });
  const { exception, reason } = verdict.kind === "exception" ? verdict : { exception: "unmatched" as const, reason: "no_order" };
  return settleException(tx, ctx, { ...arrival, exception, reason });
}

async function settlePaid(tx: Tx, ctx: Ctx, given: Arrival & { verdict: Extract<Verdict, { kind: "pay" }>; order: OrderRow }): Promise<Settled> {
  const { order, money, verdict, held } = given;
  const reviewed = money.source === "review";
  const flags: OrderFlag[] = [];
  if (verdict.late) flags.push("paid_late");
  if (verdict.excessMinor > 0) flags.push("overpaid");
  if (reviewed) flags.push("manually_verified");
  const paid = await payOrder(tx, ctx, {
    order,
    session: given.session,
    parts: partsOf(given),
    applied: held,
    receivedMinor: money.amount_minor,
    flags,
    reviewed,
    gateway: money.gateway,
  });
  if (paid === null) return settleException(tx, ctx, { ...given, exception: "late", reason: "reference_taken" });
  if (verdict.excessMinor === 0) return { outcome: "paid", repeat: false, order: paid, exception: null };
  const exception = await holdMoney(tx, ctx, { ...given, order: paid, exception: "overpaid", reason: "excess", amountMinor: verdict.excessMinor });
  return { outcome: "paid", repeat: false, order: paid, exception };
}

function partsOf(given: Arrival & { verdict: Extract<Verdict, { kind: "pay" }> }): Part[] {
  const { money, verdict, held } = given;
  const cause = causeOf(money);
  const parts: Part[] = [{ from: "custody", amountMinor: verdict.dueMinor, gateway: money.gateway, source: cause, externalId: money.external_id }];
  for (const exception of held) {
    parts.push({
      from: "custody",
      amountMinor: exception.amount_minor,
      gateway: exception.gateway,
      source: `applied:${exception.id}`,
      externalId: exception.external_id,
      released: exception,
    });
  }
  if (verdict.shortfallMinor > 0)
    parts.push({ from: "shortfall", amountMinor: verdict.shortfallMinor, gateway: money.gateway, source: `shortfall:${cause}`, externalId: null });
  return parts;
}

/** Money short of the amount is held; the order can still be paid the rest, or a person accepts it. An order that waits for a review of another payment goes on waiting. */
async function settleShort(tx: Tx, ctx: Ctx, given: Arrival & { order: OrderRow }): Promise<Settled> {
  const { order, money, tenant, session } = given;
  const now = ctx.now();
  const reviewedBy = money.source === "review" ? ctx.actor.id : null;
  const to = order.status === "pending_verify" && session?.status === "pending_verify" ? "unpaid" : order.status;
  const moved = await updateOrder(tx, order, { from: [order.status], to, now, addFlags: ["underpaid"], receivedMinor: money.amount_minor });
  const proofStatus = reviewedBy === null ? "superseded" : "approved";
  if (to !== "pending_verify") await updateSubmittedVoucher(tx, tenant, { orderId: order.id, status: proofStatus, reviewedBy, reason: null, now });
  if (session !== null) {
    const failed = await updateSession(tx, session, {
      from: ["pending", "processing", "pending_verify"],
      to: "failed",
      now,
      failureCode: "underpaid",
      ...(reviewedBy === null ? {} : { reviewedBy }),
    });
    if (failed !== null) await emit(tx, ctx, { tenant, events: [sessionEvent("payment.session.failed", moved ?? order, failed)] });
  }
  const exception = await holdMoney(tx, ctx, { ...given, order: moved ?? order, exception: "underpaid", reason: "short", amountMinor: money.amount_minor });
  return { outcome: "underpaid", repeat: false, order: moved, exception };
}

async function settleException(tx: Tx, ctx: Ctx, given: Arrival & { exception: ExceptionKind; reason: string }): Promise<Settled> {
  const { order, money } = given;
  const flagged =
    order === null || given.exception !== "duplicate"
      ? order
      : await updateOrder(tx, order, { from: [order.status], to: order.status, now: ctx.now(), addFlags: ["duplicate_payment"] });
  const exception = await holdMoney(tx, ctx, { ...given, order: flagged, amountMinor: money.amount_minor });
  await updateReceivedOutcome(tx, { ...receivedRow(ctx, given, { kind: "underpaid" }), outcome: "exception", exception_id: exception.id });
  return { outcome: "exception", repeat: false, order: flagged, exception };
}

function receivedRow(ctx: Ctx, given: Pick<Arrival, "tenant" | "money">, verdict: Verdict): ReceivedRow {
  const { order_id, session_id, gateway, external_id, source, amount_minor, currency, occurred_at } = given.money;
  return {
    project_id: given.tenant.project_id,
    livemode: given.tenant.livemode,
    gateway,
    external_id,
    order_id,
    payment_session_id: session_id,
    source,
    outcome: verdict.kind === "pay" ? "paid" : verdict.kind,
    exception_id: null,
    receipt_id: given.money.receipt_id ?? null,
    amount_minor,
    currency,
    occurred_at,
    created_at: ctx.now(),
  };
}

async function firstResult(tx: Tx, tenant: Tenant, money: Money): Promise<Settled> {
  const first = await findReceived(tx, tenant, { gateway: money.gateway, externalId: money.external_id });
  if (first === null) throw new Error("a received payment vanished");
  const order = first.order_id === null ? null : await findOrderRow(tx, tenant, first.order_id);
  const exception = first.exception_id === null ? null : await findException(tx, tenant, first.exception_id);
  return { outcome: first.outcome, repeat: true, order, exception };
}
