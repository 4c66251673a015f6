import { emit } from "#events/index.ts";
import type { GatewayAmount, PaymentSnapshot, StoredCallback } from "#gateways/index.ts";
import { after, atNow, type Ctx, known, type Pipe, type Sent, storable, type Tenant, type Tx } from "#platform/index.ts";
import { exceptionEvent, sessionEvent } from "../order-events.ts";
import { recordReturned } from "../refund/provider/record-returned.ts";
import { compareRefunded } from "../refund/provider/record-stranger.ts";
import { lockException, updateExceptionReleased } from "../rows/exceptions.sql.ts";
import { lockGatewayPayment, updateLockedGatewayPayment, updateLockedGatewayPayments } from "../rows/gateway-payments.sql.ts";
import { lockOrder, updateOrder } from "../rows/orders.sql.ts";
import { lockPieces } from "../rows/received.sql.ts";
import { findSession, updateSession } from "../rows/sessions.sql.ts";
import type { Settled } from "../settle/arrival.ts";
import type { Money } from "../settle/decide.ts";
import { settle } from "../settle/settle.ts";
import type { GatewayPaymentRow, OrderRow, SessionRow } from "../shapes.ts";
import { bookFees } from "./book-fees.ts";
import { interpretSnapshot, isMore, isRefunded, isSecond, mayBeRefunded, numberOf, type Piece, pieceOf } from "./interpret-snapshot.ts";
import { openCase } from "./open-case.ts";
import { finishCallbacks } from "./reported/finish-callbacks.ts";

/** What a provider's word came to: `ignored` changed nothing, because it was not about this payment or left its end open. */
export type Applied = "settled" | "pending" | "processing" | "ended" | "mismatch" | "ignored";

interface Reported {
  session: Tenant & Pick<SessionRow, "id" | "order_id">;
  /** The account as the provider names it, to which the payment was asked for. */
  account: string | null;
  snapshot: PaymentSnapshot;
  /** The stored callback that reported it, which is noted as applied where its money is settled. */
  callback?: StoredCallback;
}

/** A payment with its order, all locked. */
interface Held {
  order: OrderRow;
  session: SessionRow;
  payment: GatewayPaymentRow;
  /** The money of this report in the books: the payment's, or what a second payment under its reference paid. */
  pieces: readonly Piece[];
  snapshot: PaymentSnapshot;
}

/** Money that a provider tells of, with what it met, all locked. */
export interface Taking extends Held {
  /** At the time of the database. */
  pinned: Ctx;
  paid: GatewayAmount;
  callback: StoredCallback | null;
}

/**
 * Writes down what a provider tells of a payment, in one transaction under the order's lock. Money goes through `settle`; nothing moves a
 * session down from `succeeded`, and the same word a second time changes nothing.
 */
export function applySnapshot(ctx: Ctx, report: Reported): Promise<Applied> {
  return ctx.transactUnclaimed(async (tx) => {
    const held = await holdPayment(tx, report);
    const pinned = await atNow(ctx, tx);
    const interpretation = interpretSnapshot({ ...held, account: report.account });
    if (interpretation.kind === "paid")
      return takeMoney(tx, { ...held, pinned, paid: interpretation.paid, callback: report.callback ?? null });
    if (interpretation.kind === "wrong") return refuseStranger(tx, pinned, { ...held, reason: interpretation.reason });
    if (interpretation.kind === "unclear" || held.payment.status === "done") return "ignored";
    if (interpretation.kind === "ended") return endAttempt(tx, pinned, { ...held, to: interpretation.to });
    return note(tx, { ...held, kind: interpretation.kind });
  });
}

/** The order first, as everywhere. */
async function holdPayment(tx: Tx, { session, snapshot }: Reported): Promise<Held> {
  const order = await lockOrder(tx, session, session.order_id);
  const payment = await lockGatewayPayment(tx, session, session.id);
  const current = await findSession(tx, session, session.id);
  if (order === null || payment === null || current === null) throw new Error("a payment's order vanished");
  const number = numberOf({ payment, snapshot });
  const pieces = payment.settled_id === null ? [] : await lockPieces(tx, payment, { gateway: payment.gateway, number });
  return { order, payment, session: current, pieces, snapshot };
}

async function takeMoney(tx: Tx, taking: Taking): Promise<Applied> {
  const settled = await settle(tx, taking.pinned, { tenant: taking.order, money: moneyOf(taking) });
  const [applied] = await noteTaken(tx, [{ note: taking, settled }]);
  return applied as Applied;
}

export function moneyOf(taking: Taking): Money {
  const { pinned, order, session, snapshot, paid } = taking;
  const of = { order_id: order.id, session_id: session.id, gateway: session.gateway };
  return {
    ...of,
    ...pieceOf(taking),
    currency: paid.currency,
    source: "callback",
    occurred_at: snapshot.paidAt ?? pinned.now(),
    ...(mayBeRefunded(snapshot) ? { isRefunded: true } : {}),
  };
}

/**
 * Records the results of payments whose money was settled in this transaction, each of another order: their rows, fees, and the callbacks
 * that reported them.
 */
export async function noteTaken(tx: Tx, all: readonly { note: Taking; settled: Settled }[]): Promise<Applied[]> {
  const ours = all.filter(isOurs);
  const newlySettled = ours.filter(({ settled }) => !settled.repeat);
  // The row is about the money that was settled first; the exception of a second payment knows that one.
  const own = ours.filter(({ note }) => !isSecond(note.payment, note.snapshot.providerId));
  await bookFees(
    tx,
    own.map(({ note }) => ({
      ...note,
      externalId: note.payment.settled_id ?? numberOf(note),
      // Once: it is stored with the payment when it is booked.
      fee: note.payment.fee_minor === null ? note.snapshot.fee : null,
    })),
  );
  await updateLockedGatewayPayments(
    tx,
    own.map((one) => ({ payment: one.note.payment, move: { to: "done", reported: reportedOf(one), settledId: numberOf(one.note) } })),
  );
  for (const one of newlySettled) await recordGone(tx, one);
  for (const one of own) await compare(tx, one);
  for (const { note } of newlySettled) await closeUnknown(tx, note);
  await finishCallbacks(
    tx,
    all.map((one) => ({ ...one.note, isOurs: isOurs(one) })),
  );
  for (const { note, settled } of newlySettled)
    if (settled.outcome === "exception")
      await failAttempt(tx, note.pinned, {
        ...note,
        order: settled.order ?? note.order,
        code: mayBeRefunded(note.snapshot) ? "refunded" : "mismatch",
      });
  const applied: Applied[] = [];
  for (const one of all)
    applied.push(
      isOurs(one) ? "settled" : await settleNothing(tx, one.note.pinned, { ...one.note, reason: "number_known", amount: one.note.paid }),
    );
  return applied;
}

/**
 * What the payment's row stores of a report: amount and fee stay as booked. A later report of less money, or in another currency, changes
 * nothing, so that the comparison with the provider's list shows the difference, and more money is counted from what is booked.
 */
function reportedOf({ note, settled }: { note: Taking; settled: Settled }): PaymentSnapshot {
  const { payment, snapshot, paid } = note;
  return {
    ...snapshot,
    paid: settled.repeat && !isMore(payment, paid) ? null : snapshot.paid,
    fee: payment.fee_minor === null ? snapshot.fee : null,
  };
}

/** Closes the exception that asked a person to find out this payment's result: the provider has reported it now. */
async function closeUnknown(tx: Tx, { pinned, order, payment }: Taking): Promise<void> {
  if (payment.exception_id === null) return;
  const exception = await lockException(tx, order, payment.exception_id);
  if (exception?.status !== "open" || exception.detail["reason"] !== "outcome_unknown") return;
  const closed = await updateExceptionReleased(tx, exception, { note: "paid after all", by: pinned.actor.id, from: [] });
  if (closed !== null) await emit(tx, pinned, { tenant: order, events: [exceptionEvent(closed, order)] });
}

/** Money that was refunded before it was first reported pays nothing: it leaves the books again, and its exception is closed. */
async function recordGone(tx: Tx, { note, settled }: { note: Taking; settled: Settled }): Promise<void> {
  const { pinned, order, payment, snapshot } = note;
  const { exception } = settled;
  if (settled.outcome !== "exception" || exception === null || !isRefunded(snapshot)) return;
  await recordReturned(tx, pinned, {
    exception,
    order: settled.order ?? order,
    payment,
    state: snapshot.providerState,
    providerRefundId: null,
  });
}

/** New money can't have been refunded before, unless the provider says so. */
async function compare(tx: Tx, { note, settled }: { note: Taking; settled: Settled }): Promise<void> {
  const { pinned, snapshot, paid } = note;
  if (!settled.repeat && (snapshot.refunded?.amount_minor ?? 0) === 0) return;
  const paid_currency = settled.repeat ? (note.payment.paid_currency ?? paid.currency) : paid.currency;
  const payment = { ...note.payment, paid_currency, settled_id: note.payment.settled_id ?? numberOf(note) };
  await compareRefunded(tx, pinned, { order: settled.order ?? note.order, payment, refunded: snapshot.refunded });
}

/** A number that is already in the books may be this payment's own, reported again, or another payment's. */
function isOurs({ note, settled }: { note: Taking; settled: Settled }): boolean {
  return !settled.repeat || note.payment.settled_id !== null;
}

/** Money of another account, or of the other environment, can't be booked here: an exception is opened once. */
async function refuseStranger(tx: Tx, pinned: Ctx, given: Held & { reason: "reference" | "account" | "mode" }): Promise<Applied> {
  const { session, snapshot } = given;
  if (snapshot.state !== "succeeded") return "ignored";
  return settleNothing(tx, pinned, {
    ...given,
    amount: snapshot.paid ?? { amount_minor: session.amount_minor, currency: session.currency },
  });
}

async function settleNothing(
  tx: Tx,
  pinned: Ctx,
  given: Held & { reason: Parameters<typeof openCase>[2]["reason"]; amount: { amount_minor: number; currency: string } },
): Promise<Applied> {
  const { order, session, payment } = given;
  if (payment.exception_id !== null) return "ignored";
  const exception = await openCase(tx, pinned, { ...given, kind: "mismatch" });
  await updateLockedGatewayPayment(tx, payment, { to: "done", exceptionId: exception.id });
  await failAttempt(tx, pinned, { session, order, code: "mismatch" });
  return "mismatch";
}

/** A declined or ended attempt only ends its session, never the order. */
async function endAttempt(tx: Tx, pinned: Ctx, given: Held & { to: "failed" | "expired" | "canceled" }): Promise<Applied> {
  const { order, session, payment, snapshot, to } = given;
  await updateLockedGatewayPayment(tx, payment, { to: "done", reported: snapshot });
  if (to === "failed") await failAttempt(tx, pinned, { session, order, code: snapshot.failure?.code ?? "declined" });
  else await endQuietly(tx, { order, session, to });
  return "ended";
}

async function endQuietly(tx: Tx, given: { order: OrderRow; session: SessionRow; to: "expired" | "canceled" }): Promise<void> {
  const { order, session, to } = given;
  const ended = await updateSession(tx, session, { from: ["pending", "processing"], to: to === "expired" ? "expired" : "canceled" });
  if (ended !== null) await raiseVersion(tx, order);
}

/** Ends a session that is still open with the reason why, and tells it. */
export async function failAttempt(tx: Tx, pinned: Ctx, given: { session: SessionRow; order: OrderRow; code: string }): Promise<void> {
  const { session, order, code } = given;
  const failed = await updateSession(tx, session, {
    from: ["pending", "processing"],
    to: "failed",
    failureCode: storable(code.slice(0, 64)),
  });
  if (failed === null) return;
  const changed = await raiseVersion(tx, order);
  await emit(tx, pinned, { tenant: order, events: [sessionEvent("payment.session.failed", changed, failed)] });
}

/** The provider knows the payment, and it is processing. */
async function note(tx: Tx, { order, session, payment, snapshot, kind }: Held & { kind: "pending" | "processing" }): Promise<Applied> {
  await updateLockedGatewayPayment(tx, payment, { to: "open", reported: snapshot });
  const moved = await (kind === "processing"
    ? updateSession(tx, session, { from: ["pending"], to: "processing" })
    : updateSession(tx, session, { from: ["processing"], to: "pending" }));
  if (moved !== null) await raiseVersion(tx, order);
  return kind;
}

/** Open pages look again when an order's version changes; one that has ended keeps the moment at which it did. */
export function raiseVersion<On extends Tx | Pipe>(tx: On, order: OrderRow): Sent<On, OrderRow> {
  if (!isRaised(order)) return known(tx, order);
  return after(tx, updateOrder(tx, order, { from: [order.status], to: order.status }), (raised) => raised ?? order);
}

/** What `raiseVersion` makes of a locked order, for events that are written together with it. */
export function raisedVersion(order: OrderRow): OrderRow {
  return isRaised(order) ? { ...order, version: order.version + 1 } : order;
}

function isRaised({ status }: OrderRow): boolean {
  return status === "unpaid" || status === "pending_verify";
}
