import { emit } from "#events/index.ts";
import { recordAudit } from "#identity/index.ts";
import { type NewTransfer, recordTransfer } from "#ledger/index.ts";
import { type Ctx, platformErrors, type Tenant, type Tx } from "#platform/index.ts";
import { orderErrors } from "../errors.ts";
import { findOrderRow, lockOrder, updateOrder } from "../order/sql.ts";
import { exceptionEvent, transactionEvent } from "../order-events.ts";
import { findLatestSession, findSession, updateOpenSessions } from "../session/sql.ts";
import { releaseMoney } from "../settle/hold-money.ts";
import { type Part, payOrder } from "../settle/pay-order.ts";
import type { ExceptionRow, OrderFlag, OrderRow, SessionRow, ShownException } from "../shapes.ts";
import { findException, insertException, lockException, lockHeldParts, updateExceptionResolved } from "./sql.ts";

export interface Resolution {
  exception_id: string;
  action: "accept" | "ignore";
  /** The order that the money is for; the exception's own when absent. */
  order_id?: string;
  note?: string | null;
}

/**
 * A person's word on money that settled nothing. `accept` makes it pay the order, short amounts included, or, where the order is paid already,
 * books it as the merchant's own; `ignore` leaves it in suspense and closes the case. A second resolver gets review_exists.
 */
export async function resolveException(ctx: Ctx, tenant: Tenant, input: Resolution): Promise<ShownException> {
  return ctx.transact(async (tx) => {
    const seen = await findException(tx, tenant, input.exception_id);
    if (seen === null) throw platformErrors.resource_missing({ param: "id" });
    const orderId = input.order_id ?? seen.order_id;
    // The order before the exception, as settle locks them.
    const order = orderId === null ? null : await lockOrder(tx, tenant, orderId);
    if (input.order_id !== undefined && order === null)
      throw platformErrors.parameter_invalid({ param: "order_id", message: "No such order in this project and environment." });
    const exception = await lockException(tx, tenant, input.exception_id);
    if (exception === null || exception.status === "resolved") throw orderErrors.review_exists({ message: "This exception was resolved already." });
    refuseStrangers(exception, order);
    await (input.action === "accept" ? accept(tx, ctx, { exception, order }) : ignore(tx, ctx, { exception, order }));
    return { ...(await closeException(tx, ctx, { exception, order, input })), reference: seen.reference };
  });
}

/** Closes a locked case, with its event and its audit row. */
export async function closeException(
  tx: Tx,
  ctx: Ctx,
  given: { exception: ExceptionRow; order: OrderRow | null; input: Pick<Resolution, "action" | "note"> },
): Promise<ExceptionRow> {
  const { exception, order, input } = given;
  const by = ctx.actor.id;
  const resolved = await updateExceptionResolved(tx, exception, {
    resolution: input.action,
    note: input.note ?? null,
    orderId: order?.id ?? null,
    by,
    now: ctx.now(),
  });
  if (resolved === null) throw new Error("a locked exception changed under its lock");
  await emit(tx, ctx, { tenant: exception, events: [exceptionEvent(resolved, order === null ? null : await findOrderRow(tx, exception, order.id))] });
  await recordAudit(tx, {
    ctx,
    tenant: exception,
    action: "payment.exception_resolved",
    object_type: "payment_exception",
    object_id: exception.id,
    detail: { action: input.action, order_id: order?.id ?? null, note: input.note ?? null },
  });
  return resolved;
}

async function accept(tx: Tx, ctx: Ctx, given: { exception: ExceptionRow; order: OrderRow | null }): Promise<void> {
  const { exception, order } = given;
  if (order === null) throw platformErrors.parameter_missing({ param: "order_id", message: "Name the order that this money is for." });
  if (order.currency !== exception.currency) throw platformErrors.parameter_conflict({ param: "order_id", message: "The order has another currency." });
  if (order.status === "canceled") throw orderErrors.order_state_conflict({ fields: { status: order.status } });
  if (order.status === "paid") return keepAsOwn(tx, ctx, { exception, order });
  await payFromSuspense(tx, ctx, { exception, order });
}

function refuseStrangers(exception: ExceptionRow, order: OrderRow | null): void {
  const ownAlone = exception.kind === "underpaid" || exception.kind === "overpaid";
  if (ownAlone && order?.id !== exception.order_id)
    throw platformErrors.parameter_conflict({ param: "order_id", message: "This money was counted towards its own order." });
}

/** A short payment that is ignored no longer counts towards its order, which is then owed in full again; a code that asked for the rest alone is closed. */
async function ignore(tx: Tx, ctx: Ctx, given: { exception: ExceptionRow; order: OrderRow | null }): Promise<void> {
  const { exception, order } = given;
  if (exception.kind !== "underpaid" || order === null || order.status === "paid" || order.status === "canceled") return;
  const now = ctx.now();
  const others = (await lockHeldParts(tx, order, order.id)).filter((other) => other.id !== exception.id);
  const dropFlags = others.length === 0 ? (["underpaid"] as OrderFlag[]) : [];
  await updateOrder(tx, order, { from: [order.status], to: order.status, now, dropFlags, receivedMinor: -exception.amount_minor });
  if (order.status === "unpaid") await updateOpenSessions(tx, order, { orderId: order.id, to: "canceled", except: null, now });
}

/** Money beyond a paid order's amount becomes the merchant's own income. */
async function keepAsOwn(tx: Tx, ctx: Ctx, given: { exception: ExceptionRow; order: OrderRow }): Promise<void> {
  const { exception, order } = given;
  const released = await releaseMoney(tx, ctx, exception);
  const kept = await recordTransfer(
    tx,
    exception,
    transferOf(ctx, given, { kind: "adjustment", to: "sales", amountMinor: exception.amount_minor, cause: "kept" }),
  );
  await emit(tx, ctx, { tenant: exception, events: [released, kept].map((transaction) => transactionEvent(transaction, order)) });
}

/** Pays an order with money that stands in suspense: what is missing is granted, what is over becomes a case of its own. */
export async function payFromSuspense(tx: Tx, ctx: Ctx, given: { exception: ExceptionRow; order: OrderRow }): Promise<void> {
  const { exception, order } = given;
  const held = (await lockHeldParts(tx, order, order.id)).filter((other) => other.id !== exception.id);
  const rest = order.amount_minor - held.reduce((sum, other) => sum + other.amount_minor, 0);
  const used = Math.min(exception.amount_minor, rest);
  const part = (from: Part["from"], amountMinor: number, source: string): Part => ({
    from,
    amountMinor,
    gateway: exception.gateway,
    source,
    externalId: exception.external_id,
  });
  const parts: Part[] = [{ ...part("custody", used, `applied:${exception.id}`), released: exception }];
  for (const other of held)
    parts.push({ ...part("custody", other.amount_minor, `applied:${other.id}`), gateway: other.gateway, externalId: other.external_id, released: other });
  if (used < rest) parts.push({ ...part("shortfall", rest - used, `shortfall:${exception.id}`), externalId: null });
  const paid = await payOrder(tx, ctx, {
    order,
    session: await sessionOf(tx, exception, order),
    parts,
    applied: held,
    receivedMinor: exception.order_id === order.id && exception.kind === "underpaid" ? 0 : exception.amount_minor,
    flags: [
      "manually_verified",
      ...(order.status === "expired" || order.status === "failed" ? (["paid_late"] as const) : []),
      ...(exception.amount_minor > used ? (["overpaid"] as const) : []),
    ],
    reviewed: true,
    gateway: exception.gateway,
  });
  if (paid === null) throw orderErrors.reference_exists({ message: "Another live order has this order's reference by now." });
  if (exception.amount_minor > used) await holdExcess(tx, ctx, { ...given, amountMinor: exception.amount_minor - used });
}

/** The attempt that this money came through: the case's own, or the order's newest on the same gateway. */
async function sessionOf(tx: Tx, exception: ExceptionRow, order: OrderRow): Promise<SessionRow | null> {
  const own = exception.payment_session_id === null ? null : await findSession(tx, order, exception.payment_session_id);
  if (own?.order_id === order.id) return own;
  const latest = await findLatestSession(tx, order, order.id);
  return latest?.gateway === exception.gateway ? latest : null;
}

/** What the order did not need is held as excess, under a case of its own. */
async function holdExcess(tx: Tx, ctx: Ctx, given: { exception: ExceptionRow; order: OrderRow; amountMinor: number }): Promise<void> {
  const { exception, order, amountMinor } = given;
  const transaction = await recordTransfer(tx, exception, transferOf(ctx, given, { kind: "excess", to: "excess", amountMinor, cause: "excess" }));
  const opened = await insertException(tx, {
    project_id: exception.project_id,
    livemode: exception.livemode,
    id: ctx.id("exc"),
    kind: "overpaid",
    order_id: order.id,
    payment_session_id: null,
    receipt_id: exception.receipt_id,
    gateway: exception.gateway,
    external_id: exception.external_id,
    amount_minor: amountMinor,
    currency: exception.currency,
    transaction_id: transaction.id,
    detail: { reason: "excess", of: exception.id },
    created_at: ctx.now(),
  });
  await emit(tx, ctx, { tenant: exception, events: [exceptionEvent(opened, order), transactionEvent(transaction, order)] });
}

function transferOf(
  ctx: Ctx,
  given: { exception: ExceptionRow; order: OrderRow },
  move: { kind: "adjustment" | "excess"; to: "sales" | "excess"; amountMinor: number; cause: string },
): NewTransfer {
  const { exception, order } = given;
  return {
    id: ctx.id("txn"),
    kind: move.kind,
    source: `${move.cause}:${exception.id}`,
    debit: "custody",
    credit: move.to,
    amount_minor: move.amountMinor,
    currency: exception.currency,
    gateway: exception.gateway,
    order_id: order.id,
    reference: order.reference,
    payment_session_id: exception.payment_session_id,
    external_transaction_id: exception.external_id,
    description: null,
    created_by: ctx.actor.id,
    now: ctx.now(),
  };
}
