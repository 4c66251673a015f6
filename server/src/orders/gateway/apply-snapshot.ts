import { emit } from "#events/index.ts";
import type { PaymentSnapshot } from "#gateways/index.ts";
import { atNow, type Ctx, type Tenant, type Tx } from "#platform/index.ts";
import { sessionEvent } from "../order-events.ts";
import { lockGatewayPayment, updateLockedGatewayPayment } from "../rows/gateway-payments.sql.ts";
import { lockOrder, updateOrder } from "../rows/orders.sql.ts";
import { findSession, updateSession } from "../rows/sessions.sql.ts";
import { settle } from "../settle/settle.ts";
import type { GatewayPaymentRow, OrderRow, SessionRow } from "../shapes.ts";
import { bookFee } from "./book-fee.ts";
import { judgeSnapshot } from "./judge-snapshot.ts";
import { openCase } from "./open-case.ts";

/** What a provider's word came to: `ignored` changed nothing, because it was not about this payment or left its end open. */
export type Applied = "settled" | "pending" | "processing" | "ended" | "mismatch" | "ignored";

interface Telling {
  session: Tenant & Pick<SessionRow, "id" | "order_id">;
  /** The account as the provider names it, to which the payment was asked for. */
  account: string | null;
  snapshot: PaymentSnapshot;
}

/** A payment with its order, all locked. */
interface Held {
  order: OrderRow;
  session: SessionRow;
  payment: GatewayPaymentRow;
  snapshot: PaymentSnapshot;
}

/**
 * Writes down what a provider tells of a payment, in one transaction under the order's lock. Money goes through `settle`; nothing moves a session down from
 * `succeeded`, and the same word a second time changes nothing.
 */
export function applySnapshot(ctx: Ctx, telling: Telling): Promise<Applied> {
  return ctx.transactUnclaimed(async (tx) => {
    const held = await holdPayment(tx, telling);
    const timed = await atNow(ctx, tx);
    const judgement = judgeSnapshot({ ...held, account: telling.account });
    if (judgement.kind === "paid") return takeMoney(tx, timed, { ...held, paid: judgement.paid });
    if (judgement.kind === "wrong") return refuseStranger(tx, timed, { ...held, reason: judgement.reason });
    if (judgement.kind === "unclear" || held.payment.status === "done") return "ignored";
    if (judgement.kind === "ended") return endAttempt(tx, timed, { ...held, to: judgement.to });
    return note(tx, { ...held, kind: judgement.kind });
  });
}

/** The order first, as everywhere. */
async function holdPayment(tx: Tx, { session, snapshot }: Telling): Promise<Held> {
  const order = await lockOrder(tx, session, session.order_id);
  const payment = await lockGatewayPayment(tx, session, session.id);
  const current = await findSession(tx, session, session.id);
  if (order === null || payment === null || current === null) throw new Error("a payment's order vanished");
  return { order, payment, session: current, snapshot };
}

/** The money keeps the number under which it was first booked: a later answer may name it by another of the provider's ids. */
async function takeMoney(tx: Tx, timed: Ctx, given: Held & { paid: { amount_minor: number; currency: string } }): Promise<Applied> {
  const { order, session, payment, snapshot, paid } = given;
  const external_id = payment.settled_id ?? snapshot.captureId ?? snapshot.providerId ?? session.id;
  const settled = await settle(tx, timed, {
    tenant: order,
    money: {
      order_id: order.id,
      session_id: session.id,
      gateway: session.gateway,
      external_id,
      ...paid,
      source: "callback",
      occurred_at: snapshot.paidAt ?? timed.now(),
    },
  });
  const isOurs = !settled.repeat || payment.settled_id !== null;
  if (!isOurs) return settleNothing(tx, timed, { ...given, reason: "number_known", amount: paid });
  if (!settled.repeat) await bookFee(tx, timed, { order, session, externalId: external_id, paid, fee: snapshot.fee });
  await updateLockedGatewayPayment(tx, payment, { to: "done", told: snapshot, settledId: external_id });
  if (!settled.repeat && settled.outcome === "exception") await failAttempt(tx, timed, { session, order: settled.order ?? order, code: "mismatch" });
  return "settled";
}

/** Money that is another account's, or of the other environment, is none that could be booked here: a person is told once. */
async function refuseStranger(tx: Tx, timed: Ctx, given: Held & { reason: "reference" | "account" | "mode" }): Promise<Applied> {
  const { session, snapshot } = given;
  if (snapshot.state !== "succeeded") return "ignored";
  return settleNothing(tx, timed, { ...given, amount: snapshot.paid ?? { amount_minor: session.amount_minor, currency: session.currency } });
}

async function settleNothing(
  tx: Tx,
  timed: Ctx,
  given: Held & { reason: Parameters<typeof openCase>[2]["reason"]; amount: { amount_minor: number; currency: string } },
): Promise<Applied> {
  const { order, session, payment } = given;
  if (payment.exception_id !== null) return "ignored";
  const exception = await openCase(tx, timed, { ...given, kind: "mismatch" });
  await updateLockedGatewayPayment(tx, payment, { to: "done", exceptionId: exception.id });
  await failAttempt(tx, timed, { session, order, code: "mismatch" });
  return "mismatch";
}

/** A declined or ended attempt ends its session alone, never the order. */
async function endAttempt(tx: Tx, timed: Ctx, given: Held & { to: "failed" | "expired" | "canceled" }): Promise<Applied> {
  const { order, session, payment, snapshot, to } = given;
  await updateLockedGatewayPayment(tx, payment, { to: "done", told: snapshot });
  if (to === "failed") await failAttempt(tx, timed, { session, order, code: snapshot.failure?.code ?? "declined" });
  else await endQuietly(tx, { order, session, to });
  return "ended";
}

async function endQuietly(tx: Tx, given: { order: OrderRow; session: SessionRow; to: "expired" | "canceled" }): Promise<void> {
  const { order, session, to } = given;
  const ended = await updateSession(tx, session, { from: ["pending", "processing"], to: to === "expired" ? "expired" : "canceled" });
  if (ended !== null) await raiseVersion(tx, order);
}

/** Ends a session that is still open with the reason why, and tells it. */
export async function failAttempt(tx: Tx, timed: Ctx, given: { session: SessionRow; order: OrderRow; code: string }): Promise<void> {
  const { session, order, code } = given;
  const failed = await updateSession(tx, session, { from: ["pending", "processing"], to: "failed", failureCode: code.slice(0, 64) });
  if (failed === null) return;
  const changed = await raiseVersion(tx, order);
  await emit(tx, timed, { tenant: order, events: [sessionEvent("payment.session.failed", changed, failed)] });
}

/** The provider knows the payment and it is under way. */
async function note(tx: Tx, { order, session, payment, snapshot, kind }: Held & { kind: "pending" | "processing" }): Promise<Applied> {
  await updateLockedGatewayPayment(tx, payment, { to: "open", told: snapshot });
  const moved = await (kind === "processing"
    ? updateSession(tx, session, { from: ["pending"], to: "processing" })
    : updateSession(tx, session, { from: ["processing"], to: "pending" }));
  if (moved !== null) await raiseVersion(tx, order);
  return kind;
}

/** Open pages look again when an order's version changes; one that has ended keeps the moment at which it did. */
export async function raiseVersion(tx: Tx, order: OrderRow): Promise<OrderRow> {
  if (order.status !== "unpaid" && order.status !== "pending_verify") return order;
  return (await updateOrder(tx, order, { from: [order.status], to: order.status })) ?? order;
}
