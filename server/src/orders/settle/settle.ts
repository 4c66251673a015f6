import { externalKey } from "#collection/index.ts";
import { type Ctx, isUniqueViolation, known, pipeline, type Tenant, type Tx, trySavepoint } from "#platform/index.ts";
import { orderErrors } from "../errors.ts";
import { findException, lockHeldParts } from "../rows/exceptions.sql.ts";
import { findOrderRow, lockOrder, updateOrders } from "../rows/orders.sql.ts";
import { findReceived, insertReceived, nameOfReceived, updateReceivedOutcome } from "../rows/received.sql.ts";
import { findSession } from "../rows/sessions.sql.ts";
import { type ExceptionRow, isPersonal } from "../shapes.ts";
import { type Arrival, receivedRow, type Settled, sumOf } from "./arrival.ts";
import { carryOut } from "./carry-out.ts";
import { decide, type Money, type Verdict } from "./decide.ts";
import { type Paying, type Plan, paidMove, planAccepted, planException, planPaid, planShort } from "./plan.ts";
import { rebookFee } from "./rebook-fee.ts";
import { refusalOf } from "./refusals.ts";

/**
 * The one way in which money changes an order, for callback, reviewer, simulator, receipt, statement and reconciler alike, and for money
 * that in suspense under a locked exception (`from`) once a person assigns it to an order. Runs in the caller's transaction and locks the
 * order; every cent ends as an order's payment or in suspense with an exception, and a repeat changes nothing. Throws shortfall_unconfirmed
 * when a person takes less for the whole without saying so, parameter_missing when more is approved without saying so, and
 * order_state_conflict where held money can pay nothing.
 */
export async function settle(tx: Tx, ctx: Ctx, given: { tenant: Tenant; money: Money; from?: ExceptionRow }): Promise<Settled> {
  const { tenant, money, from = null } = given;
  // In this order: the order's lock comes before its parts.
  const [order, session, parts] = await pipeline(tx, (pipe) => [
    money.order_id === null ? null : lockOrder(pipe, tenant, money.order_id),
    money.session_id === null ? null : findSession(pipe, tenant, money.session_id),
    money.order_id === null ? known(pipe, []) : lockHeldParts(pipe, tenant, money.order_id),
  ]);
  const held = parts.filter(({ id }) => id !== from?.id);
  const [settled] = await settleMany(tx, [{ ctx, tenant, money, order, session, isNewSession: false, held, from }]);
  if (settled instanceof Error) throw settled;
  return settled as Settled;
}

interface Assessed {
  arrival: Arrival;
  verdict: Verdict;
  /** For the exception that it may open. */
  exceptionId: string;
  /** How often a payment with its number was booked and reversed. */
  reversals: number;
}

/**
 * Like `settle`, for payments of any tenants together: each for a different order, with a different number, with everything they affect
 * locked. Returns one result per payment, in order; an error refuses only that one.
 */
export async function settleMany(tx: Tx, arrivals: readonly Arrival[]): Promise<(Settled | Error)[]> {
  const results = new Map<Arrival, Settled | Error>();
  const assessed: Assessed[] = [];
  for (const arrival of arrivals) {
    const verdict = decide({ ...arrival, heldMinor: sumOf(arrival.held) });
    const refusal = refusalOf(arrival, verdict);
    if (refusal === null) assessed.push({ arrival, verdict, exceptionId: arrival.ctx.id("exc"), reversals: 0 });
    else results.set(arrival, refusal);
  }
  const { firsts, repeats } = await takeFirst(tx, assessed);
  const plans = new Map<Arrival, Plan>();
  for (const one of firsts) {
    const plan = await planOf(tx, one);
    if (plan instanceof Error) results.set(one.arrival, plan);
    else plans.set(one.arrival, plan);
  }
  const settled = await carryOut(tx, [...plans.values()]);
  [...plans.keys()].forEach((arrival, index) => results.set(arrival, settled[index] as Settled));
  for (const { arrival, reversals } of firsts) {
    const result = results.get(arrival);
    if (reversals > 0 && result !== undefined && !(result instanceof Error))
      await rebookFee(tx, { arrival, reversals, order: result.order });
  }
  for (const { arrival } of repeats) results.set(arrival, await firstResult(tx, arrival.tenant, arrival.money));
  return arrivals.map((arrival) => results.get(arrival) as Settled | Error);
}

/** Writes down each piece of money and tells those that were seen before. What is in the books already was written down when it came. */
async function takeFirst(tx: Tx, assessed: readonly Assessed[]): Promise<{ firsts: Assessed[]; repeats: Assessed[] }> {
  const rows = new Map(
    assessed
      .filter(({ arrival }) => arrival.from === null)
      .map((one) => [one, receivedRow(one.arrival, one.verdict, one.verdict.kind === "exception" ? one.exceptionId : null)]),
  );
  const made = await insertReceived(tx, [...rows.values()]);
  const firsts: Assessed[] = [];
  const repeats: Assessed[] = [];
  for (const one of assessed) {
    const row = rows.get(one);
    const reversals = row === undefined ? 0 : made.get(nameOfReceived(row));
    if (reversals === undefined) repeats.push(one);
    else firsts.push({ ...one, reversals });
  }
  return { firsts, repeats };
}

async function planOf(tx: Tx, { arrival: first, verdict, exceptionId, reversals }: Assessed): Promise<Plan | Error> {
  const arrival = reversals === 0 ? first : { ...first, money: { ...first.money, attempt: (first.money.attempt ?? 0) + reversals } };
  const { order, from } = arrival;
  if (verdict.kind === "pay" && order !== null) return planPayment(tx, { ...arrival, order, verdict }, exceptionId);
  if (from !== null) return planAccepted({ ...arrival, from });
  if (verdict.kind === "underpaid" && order !== null) return planShort({ ...arrival, order }, exceptionId);
  const { exception, reason } = verdict.kind === "exception" ? verdict : { exception: "unmatched" as const, reason: "no_order" };
  return planException(arrival, { id: exceptionId, kind: exception, reason });
}

/**
 * Only an order that had ended can find its reference taken: it's moved first, separately, and if that fails, its money is held for a
 * person.
 */
async function planPayment(tx: Tx, paying: Paying, exceptionId: string): Promise<Plan | Error> {
  const { order, from } = paying;
  if (order.status !== "expired" && order.status !== "failed") return planPaid(paying, { moved: null, exceptionId });
  const tried = await trySavepoint(
    tx,
    (inner) => updateOrders(inner, [{ order, move: paidMove(paying) }]),
    (error) => isUniqueViolation(error, "orders_reference"),
  );
  const moved = tried.ok ? tried.value[0] : undefined;
  if (tried.ok && moved === undefined) throw new Error("a locked order changed under its lock");
  if (moved !== undefined) return planPaid(paying, { moved, exceptionId });
  if (from !== null) return orderErrors.reference_exists({ message: "Another open or paid order now has this order's reference." });
  await updateReceivedOutcome(tx, receivedRow(paying, { kind: "exception" }, exceptionId));
  return planException(paying, { id: exceptionId, kind: "late", reason: "reference_taken" });
}

async function firstResult(tx: Tx, tenant: Tenant, money: Money): Promise<Settled> {
  const key = isPersonal(money.gateway) ? externalKey(money.external_id) : null;
  const first = await findReceived(tx, tenant, { gateway: money.gateway, externalId: money.external_id, key });
  if (first === null) throw new Error("a received payment vanished");
  // Another project of the merchant has it; this one must not see which order it paid there.
  if (first.project_id !== tenant.project_id) return { outcome: first.outcome, repeat: true, order: null, exception: null };
  const order = first.order_id === null ? null : await findOrderRow(tx, tenant, first.order_id);
  const exception = first.exception_id === null ? null : await findException(tx, tenant, first.exception_id);
  return { outcome: first.outcome, repeat: true, order, exception };
}
