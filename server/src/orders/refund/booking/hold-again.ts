import type { NewEvent } from "#events/index.ts";
import { recordTransfers } from "#ledger/index.ts";
import type { Ctx, Tx } from "#platform/index.ts";
import { exceptionEvent, transactionEvent } from "../../order-events.ts";
import { lockException, lockHeldParts, updateExceptionReopened } from "../../rows/exceptions.sql.ts";
import { updateOrder } from "../../rows/orders.sql.ts";
import { updateOpenSessions } from "../../rows/sessions.sql.ts";
import { type ExceptionKind, type ExceptionRow, type OrderRow, owesAgain, type RefundRow } from "../../shapes.ts";

/** The events to send once the order's new state is known. */
export type EventsOf = (order: OrderRow | null) => NewEvent[];

/** Books money of a failed refund back to its exception, and opens the exception again. */
export async function holdAgain(tx: Tx, pinned: Ctx, given: { refund: RefundRow; order: OrderRow | null }): Promise<EventsOf> {
  const { refund, order } = given;
  const exception = await lockHolder(tx, refund);
  const account = exception.kind === "overpaid" ? ("excess" as const) : ("suspense" as const);
  const [transaction] = await recordTransfers(tx, [
    {
      tenant: refund,
      id: pinned.id("txn"),
      kind: account,
      source: `returned:${refund.id}`,
      debit: "custody",
      credit: account,
      amount_minor: refund.amount_minor,
      currency: refund.currency,
      gateway: refund.gateway,
      order_id: refund.order_id,
      reference: order?.reference ?? null,
      payment_session_id: refund.payment_session_id,
      external_transaction_id: exception.external_id,
      created_by: pinned.actor.id,
      now: pinned.now(),
    },
  ]);
  if (transaction === undefined) throw new Error("a transfer was not booked");
  const open = await openAgain(tx, { exception, order, transactionId: transaction.id });
  return (after) => [transactionEvent(transaction, after, after?.id ?? open.id), exceptionEvent(open, after)];
}

/** Opens the exception of a refund again that failed before its money left. */
export async function keepHolding(tx: Tx, given: { refund: RefundRow; order: OrderRow | null }): Promise<EventsOf> {
  const exception = await lockHolder(tx, given.refund);
  const open = await openAgain(tx, { exception, order: given.order, transactionId: exception.transaction_id ?? "" });
  return (after) => [exceptionEvent(open, after)];
}

async function lockHolder(tx: Tx, refund: RefundRow): Promise<ExceptionRow> {
  const exception = await lockException(tx, refund, refund.exception_id ?? "");
  if (exception === null) throw new Error("the exception of a refund vanished");
  return exception;
}

async function openAgain(tx: Tx, given: { exception: ExceptionRow; order: OrderRow | null; transactionId: string }): Promise<ExceptionRow> {
  const { exception, order, transactionId } = given;
  const open = await updateExceptionReopened(tx, exception, { kind: kindNow(exception, order), transactionId });
  if (order !== null) await countAgain(tx, { exception: open, order });
  return open;
}

/** A part payment of an order that was paid or canceled in the meantime is no longer a part of it. */
function kindNow(exception: ExceptionRow, order: OrderRow | null): ExceptionKind {
  if (exception.kind !== "underpaid" || order === null) return exception.kind;
  if (order.status === "paid" && !owesAgain(order)) return "duplicate";
  return order.status === "canceled" ? "late" : "underpaid";
}

async function countAgain(tx: Tx, given: { exception: ExceptionRow; order: OrderRow }): Promise<void> {
  const { exception, order } = given;
  const same = { from: [order.status], to: order.status };
  if (exception.kind === "overpaid") await updateOrder(tx, order, { ...same, heldMinor: order.amount_held_minor + exception.amount_minor });
  if (exception.kind === "duplicate") await updateOrder(tx, order, { ...same, addFlags: ["duplicate_payment"] });
  if (exception.kind !== "underpaid") return;
  const parts = await lockHeldParts(tx, order, order.id);
  await updateOrder(tx, order, { ...same, addFlags: ["underpaid"], heldMinor: parts.reduce((sum, part) => sum + part.amount_minor, 0) });
  // A code that asks for the whole amount would ask for too much again.
  if (order.status === "unpaid") await updateOpenSessions(tx, order, { orderId: order.id, to: "canceled", except: null });
}
