import { externalKey } from "#collection/index.ts";
import { emit } from "#events/index.ts";
import { type Ctx, decimalOf, known, pipeline, platformErrors, type Tenant, type Tx } from "#platform/index.ts";
import { orderErrors } from "../errors.ts";
import { sessionEvent } from "../order-events.ts";
import { findException, lockHeldParts } from "../rows/exceptions.sql.ts";
import { findOrderRow, lockOrder, updateOrder } from "../rows/orders.sql.ts";
import { findReceived, insertReceived, type ReceivedRow, updateReceivedOutcome } from "../rows/received.sql.ts";
import { findSession, lockOpenSession, updateSession } from "../rows/sessions.sql.ts";
import { updateSubmittedVoucher } from "../rows/vouchers.sql.ts";
import { type ExceptionKind, type ExceptionRow, isPersonal, type OrderFlag, type OrderRow } from "../shapes.ts";
import { decide, type Money, type Verdict } from "./decide.ts";
import { type Arrival, causeOf, holdMoney, keepMoney } from "./hold-money.ts";
import { type Part, payOrder } from "./pay-order.ts";

export interface Settled {
  /** `kept`: held money of an order that is paid already became the merchant's own. */
  outcome: "paid" | "underpaid" | "exception" | "kept";
  /** True when this external id was seen before; nothing was changed. */
  repeat: boolean;
  order: OrderRow | null;
  exception: ExceptionRow | null;
}

/**
 * The one way in which money changes an order, for callback, reviewer, simulator, receipt, statement and reconciler alike, and for money that
 * stands in suspense under a locked case (`from`) once a person gives it to an order.
 * Runs in the caller's transaction and locks the order; every cent ends as an order's payment or in suspense with an exception, and a repeat changes nothing.
 * Throws shortfall_unconfirmed when a person takes less for the whole without saying so, parameter_missing when more is approved without saying so, and order_state_conflict where held money can pay nothing.
 */
export async function settle(tx: Tx, ctx: Ctx, given: { tenant: Tenant; money: Money; from?: ExceptionRow }): Promise<Settled> {
  const { tenant, money, from = null } = given;
  // Carried out in this order: the order's lock is held before its parts are looked at.
  const [order, session, parts] = await pipeline(tx, (pipe) => [
    money.order_id === null ? null : lockOrder(pipe, tenant, money.order_id),
    money.session_id === null ? null : findSession(pipe, tenant, money.session_id),
    money.order_id === null ? known(pipe, []) : lockHeldParts(pipe, tenant, money.order_id),
  ]);
  const held = parts.filter(({ id }) => id !== from?.id);
  const verdict = decide({ order, session, heldMinor: sumOf(held), money });
  if (order !== null && verdict.kind === "unconfirmed") throw shortUnconfirmed(order, { money, verdict });
  if (order !== null && verdict.kind === "excess") throw excessUnconfirmed(order, { money, verdict });
  const arrival = { tenant, money, order, session, held, from };
  if (from === null && !(await insertReceived(tx, receivedRow(ctx, arrival, verdict)))) return firstResult(tx, tenant, money);
  if (verdict.kind === "pay" && order !== null) return settlePaid(tx, ctx, { ...arrival, verdict, order });
  if (from !== null) return settleHeld(tx, ctx, { ...arrival, from, verdict });
  if (verdict.kind === "underpaid" && order !== null) return settleShort(tx, ctx, { ...arrival, order });
  const { exception, reason } = verdict.kind === "exception" ? verdict : { exception: "unmatched" as const, reason: "no_order" };
  return settleException(tx, ctx, { ...arrival, exception, reason });
}

function sumOf(parts: readonly ExceptionRow[]): number {
  return parts.reduce((sum, part) => sum + part.amount_minor, 0);
}

function shortUnconfirmed(order: OrderRow, given: { money: Money; verdict: Extract<Verdict, { kind: "unconfirmed" }> }): Error {
  const { money } = given;
  const { expectedMinor, shortfallMinor } = given.verdict;
  const fields = { expected_minor: expectedMinor, received_minor: money.amount_minor, shortfall_minor: shortfallMinor, currency: order.currency };
  const param = "confirm_shortfall_minor";
  if (shortfallMinor === 0) return orderErrors.shortfall_unconfirmed({ param, fields, message: "Nothing is missing. Leave confirm_shortfall_minor out." });
  const message = `${written(order, money.amount_minor)} arrived, ${written(order, expectedMinor)} was expected. To take it for the whole, send what is missing as confirm_shortfall_minor.`;
  return orderErrors.shortfall_unconfirmed({ param, fields, message });
}

function excessUnconfirmed(order: OrderRow, given: { money: Money; verdict: Extract<Verdict, { kind: "excess" }> }): Error {
  const { money } = given;
  const { expectedMinor, excessMinor } = given.verdict;
  const fields = { expected_minor: expectedMinor, received_minor: money.amount_minor, excess_minor: excessMinor, currency: order.currency };
  const param = "confirm_excess_minor";
  if (excessMinor === 0) return platformErrors.parameter_conflict({ param, fields, message: "Nothing is too much. Leave confirm_excess_minor out." });
  const message = `${written(order, money.amount_minor)} is more than the ${written(order, expectedMinor)} that was expected. If that arrived, send what is too much as confirm_excess_minor.`;
  return platformErrors.parameter_missing({ param, fields, message });
}

function written(order: OrderRow, minor: number): string {
  return `${decimalOf(minor, order.exponent)} ${order.currency}`;
}

/** Held money that pays no order: the merchant keeps it where the order is paid already; otherwise it stays with its case. */
async function settleHeld(tx: Tx, ctx: Ctx, given: Arrival & { from: ExceptionRow; verdict: Verdict }): Promise<Settled> {
  const { order, verdict } = given;
  if (order === null) throw platformErrors.parameter_missing({ param: "order_id", message: "Name the order that this money is for." });
  const exception = verdict.kind === "exception" ? verdict.exception : null;
  if (exception === "mismatch") throw platformErrors.parameter_conflict({ param: "order_id", message: "The order has another currency." });
  if (exception !== "duplicate") throw orderErrors.order_state_conflict({ fields: { status: order.status } });
  await keepMoney(tx, ctx, { ...given, order });
  return { outcome: "kept", repeat: false, order, exception: null };
}

async function settlePaid(tx: Tx, ctx: Ctx, given: Arrival & { verdict: Extract<Verdict, { kind: "pay" }>; order: OrderRow }): Promise<Settled> {
  const { order, money, verdict, held, from } = given;
  const reviewed = isDecided(money);
  const flags: OrderFlag[] = [];
  if (verdict.late) flags.push("paid_late");
  if (verdict.excessMinor > 0) flags.push("overpaid");
  if (verdict.forgivenMinor > 0) flags.push("underpaid");
  if (reviewed) flags.push("manually_verified");
  if (money.source === "receipt") flags.push("auto_matched");
  const paid = await payOrder(tx, ctx, {
    order,
    session: given.session,
    parts: partsOf(given),
    applied: held,
    receivedMinor: verdict.dueMinor + sumOf(held),
    excessMinor: verdict.excessMinor,
    flags,
    reviewed,
    gateway: money.gateway,
  });
  if (paid === null && from !== null) throw orderErrors.reference_exists({ message: "Another live order has this order's reference by now." });
  if (paid === null) return settleException(tx, ctx, { ...given, exception: "late", reason: "reference_taken" });
  if (verdict.excessMinor === 0) return { outcome: "paid", repeat: false, order: paid, exception: null };
  const exception = await holdMoney(tx, ctx, { ...given, order: paid, exception: "overpaid", reason: "excess", amountMinor: verdict.excessMinor });
  return { outcome: "paid", repeat: false, order: paid, exception };
}

/** A person's word rather than a provider's proof or a receipt. */
function isDecided(money: Money): boolean {
  return money.source === "review" || money.source === "link" || money.source === "resolution";
}

function partsOf(given: Arrival & { verdict: Extract<Verdict, { kind: "pay" }> }): Part[] {
  const { money, verdict, held, from } = given;
  const cause = causeOf(given);
  const part = (amountMinor: number, source: string, externalId: string | null) => ({ amountMinor, gateway: money.gateway, source, externalId });
  const parts: Part[] = [
    { from: "custody", ...part(verdict.dueMinor, cause, money.external_id), ...(from === null ? {} : { released: from }) },
    ...held.map((exception): Part => {
      const { id, amount_minor, gateway, external_id } = exception;
      return { from: "custody", ...part(amount_minor, `applied:${id}`, external_id), gateway, released: exception };
    }),
  ];
  if (verdict.shortfallMinor > 0) parts.push({ from: "shortfall", ...part(verdict.shortfallMinor, `shortfall:${cause}`, null) });
  return parts;
}

/** Money short of the amount is held; the order can still be paid the rest, or a person accepts it. An order that waits for a review of another payment goes on waiting. */
async function settleShort(tx: Tx, ctx: Ctx, given: Arrival & { order: OrderRow }): Promise<Settled> {
  const { order, money, tenant, session, held } = given;
  const reviewedBy = isDecided(money) ? ctx.actor.id : null;
  const to = order.status === "pending_verify" && session?.status === "pending_verify" ? "unpaid" : order.status;
  const moved = await updateOrder(tx, order, { from: [order.status], to, addFlags: ["underpaid"], heldMinor: sumOf(held) + money.amount_minor });
  if (to !== "pending_verify") await updateSubmittedVoucher(tx, tenant, { orderId: order.id, status: "superseded", reviewedBy, reason: null });
  if (session !== null) {
    const failed = await updateSession(tx, session, {
      from: ["pending", "processing", "pending_verify"],
      to: "failed",
      failureCode: "underpaid",
      ...(reviewedBy === null ? {} : { reviewedBy }),
    });
    if (failed !== null) await emit(tx, ctx, { tenant, events: [sessionEvent("payment.session.failed", moved ?? order, failed)] });
  }
  // Whatever else the order was being asked for is more than it owes now.
  const open = await lockOpenSession(tx, tenant, order.id);
  if (open !== null) await updateSession(tx, open, { from: ["pending"], to: "canceled" });
  const exception = await holdMoney(tx, ctx, { ...given, order: moved ?? order, exception: "underpaid", reason: "short", amountMinor: money.amount_minor });
  return { outcome: "underpaid", repeat: false, order: moved, exception };
}

async function settleException(tx: Tx, ctx: Ctx, given: Arrival & { exception: ExceptionKind; reason: string }): Promise<Settled> {
  const { order, money } = given;
  const flagged =
    order === null || given.exception !== "duplicate"
      ? order
      : await updateOrder(tx, order, { from: [order.status], to: order.status, addFlags: ["duplicate_payment"] });
  const exception = await holdMoney(tx, ctx, { ...given, order: flagged, amountMinor: money.amount_minor });
  await updateReceivedOutcome(tx, { ...receivedRow(ctx, given, { kind: "underpaid" }), outcome: "exception", exception_id: exception.id });
  return { outcome: "exception", repeat: false, order: flagged, exception };
}

function receivedRow(ctx: Ctx, given: Pick<Arrival, "tenant" | "money">, verdict: Pick<Verdict, "kind">): ReceivedRow {
  const { order_id, session_id, gateway, external_id, source, amount_minor, currency, occurred_at } = given.money;
  return {
    project_id: given.tenant.project_id,
    livemode: given.tenant.livemode,
    gateway,
    external_id,
    order_id,
    payment_session_id: session_id,
    source,
    outcome: verdict.kind === "pay" ? "paid" : verdict.kind === "underpaid" ? "underpaid" : "exception",
    exception_id: null,
    receipt_id: given.money.receipt_id ?? null,
    amount_minor,
    currency,
    occurred_at,
    created_at: ctx.now(),
  };
}

async function firstResult(tx: Tx, tenant: Tenant, money: Money): Promise<Settled> {
  const key = isPersonal(money.gateway) ? externalKey(money.external_id) : null;
  const first = await findReceived(tx, tenant, { gateway: money.gateway, externalId: money.external_id, key });
  if (first === null) throw new Error("a received payment vanished");
  // Another project of the merchant took it; whose order it paid there is not for this one to see.
  if (first.project_id !== tenant.project_id) return { outcome: first.outcome, repeat: true, order: null, exception: null };
  const order = first.order_id === null ? null : await findOrderRow(tx, tenant, first.order_id);
  const exception = first.exception_id === null ? null : await findException(tx, tenant, first.exception_id);
  return { outcome: first.outcome, repeat: true, order, exception };
}
