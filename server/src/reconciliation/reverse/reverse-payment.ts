import { recordAudit } from "#audit/index.ts";
import { emit, type NewEvent } from "#events/index.ts";
import { recordTransfers, reverseTransfer, type Transaction } from "#ledger/index.ts";
import {
  type Booking,
  deleteReceived,
  type ExceptionRow,
  exceptionEvent,
  findLatestSession,
  findLink,
  findOrderRow,
  insertException,
  listBookings,
  listEffectiveDisputes,
  listEffectiveRefunds,
  listFees,
  listSideBookings,
  lockBooked,
  lockExcess,
  lockOrder,
  lockReceived,
  type OrderBundle,
  type OrderRow,
  orderErrors,
  orderEvent,
  type ReceivedRow,
  transactionEvent,
  updateExceptionReleased,
  updateOrder,
  updateReceivedHeld,
} from "#orders/index.ts";
import { atNow, type Ctx, platformErrors, refuseCardNumbers, type Tenant, type Tx } from "#platform/index.ts";
import { lockAccounts } from "../receipt/link-waiting.ts";
import { listAccountsOfOrder } from "../receipt/sql.ts";
import { freeReceipts, keepWithException } from "./free-receipts.ts";
import { insertReversedPayment, listAccountsOfReceipts, type ReversalCause } from "./sql.ts";

export interface PaymentReversal {
  order_id: string;
  cause: ReversalCause;
  note: string;
}

/** The bookings of a reversal, to be reported once the order's new state is known. */
interface Done {
  transactions: Transaction[];
  exceptions: ExceptionRow[];
  pieces: ReceivedRow[];
}

/**
 * Records a person's statement that an order was settled by mistake, by a reviewer or automatically. The order stays paid with the flag
 * `payment_reversed`, owes its amount again, and its buyer isn't notified. `not_received`: the money leaves the books. `other_order`: an
 * exception holds it. Numbers and receipts can be used again. Throws order_state_conflict for an order without a payment, with a refund
 * that has not failed, or with a dispute that is open or lost.
 */
export async function reversePayment(ctx: Ctx, tenant: Tenant, input: PaymentReversal): Promise<OrderBundle> {
  refuseCardNumbers({ note: input.note });
  if (input.note.trim() === "")
    throw platformErrors.parameter_invalid({ param: "note", reason: "required", message: "Give a short reason." });
  return ctx.transact(async (tx) => {
    await lockAccountsOf(tx, tenant, input.order_id);
    const order = await lockOrder(tx, tenant, input.order_id);
    if (order === null) throw platformErrors.resource_missing({ param: "id" });
    const bookings = await refuseUnreversible(tx, order);
    const pinned = await atNow(ctx, tx);
    const excess = await lockExcess(tx, order);
    const done: Done = { transactions: [], exceptions: [], pieces: [] };
    await bookReversal(tx, pinned, { order, bookings, excess, input, done });
    for (const { gateway, external_id } of uniquePieces(bookings))
      await freePiece(tx, pinned, { order, piece: { gateway, external_id }, input, done });
    const moved = await updateOrder(tx, order, {
      from: ["paid"],
      to: "paid",
      addFlags: ["payment_reversed"],
      // How it was paid: it wasn't.
      dropFlags: ["paid_late", "underpaid", "overpaid", "manually_verified", "auto_matched"],
      receivedMinor: 0,
      heldMinor: order.amount_held_minor - excess.reduce((sum, { amount_minor }) => sum + amount_minor, 0),
    });
    if (moved === null) throw new Error("a locked order changed under its lock");
    await notify(tx, pinned, { order: moved, input, done });
    return { order: moved, link: await findLink(tx, tenant, order.id), session: await findLatestSession(tx, tenant, order.id) };
  });
}

/** As for approvals and receipts: accounts first, always in the same order. */
async function lockAccountsOf(tx: Tx, tenant: Tenant, id: string): Promise<void> {
  await lockAccounts(tx, [...(await listAccountsOfReceipts(tx, { ...tenant, id })), ...(await listAccountsOfOrder(tx, tenant, id))]);
}

async function refuseUnreversible(tx: Tx, order: OrderRow): Promise<Booking[]> {
  const bookings = order.status === "paid" ? await listBookings(tx, order) : [];
  if (bookings.length === 0)
    throw orderErrors.order_state_conflict({ message: "This order has no payment to reverse.", fields: { status: order.status } });
  const refunds = await listEffectiveRefunds(tx, order);
  if (refunds.length > 0) {
    const message = "This payment has refunds. If a refund wasn't paid out, mark it as failed first.";
    throw orderErrors.order_state_conflict({ message, fields: { refund_ids: refunds } });
  }
  const disputes = await listEffectiveDisputes(tx, order);
  if (disputes.length > 0) {
    const message = "This payment is disputed, so its money did arrive. It can only be reversed if you win the dispute.";
    throw orderErrors.order_state_conflict({ message, fields: { dispute_ids: disputes } });
  }
  return bookings;
}

/**
 * Reverses every transfer of the payment: its money, forgiven amounts, and held or kept excess. The provider's fee was charged for money
 * that arrived, so it is only reversed for money that didn't; `settle` books it again if the money arrives after all.
 */
async function bookReversal(
  tx: Tx,
  pinned: Ctx,
  given: { order: OrderRow; bookings: readonly Booking[]; excess: readonly ExceptionRow[]; input: PaymentReversal; done: Done },
): Promise<void> {
  const { order, bookings, excess, input, done } = given;
  const accepted = excess.filter(({ resolution }) => resolution === "accept");
  const side = await listSideBookings(
    tx,
    order,
    accepted.map(({ id }) => id),
  );
  const held = excess.filter((exception) => !accepted.includes(exception)).map(({ transaction_id }) => transaction_id ?? "");
  const fees = input.cause === "not_received" ? await lockFees(tx, order, bookings) : [];
  for (const id of [...bookings.map((booking) => booking.id), ...side, ...held, ...fees]) {
    const reversal = { id: pinned.id("txn"), reverses: id, source: `reversed:${id}`, created_by: pinned.actor.id, now: pinned.now() };
    done.transactions.push(await reverseTransfer(tx, order, reversal));
  }
  for (const exception of excess) {
    const released = await updateExceptionReleased(tx, exception, {
      note: "payment reversed",
      by: pinned.actor.id,
      from: ["ignore", "accept"],
    });
    if (released === null) throw new Error("a locked exception changed under its lock");
    done.exceptions.push(released);
  }
}

/** Under the lock of their money, because fees are booked under that of the order for which the payment was requested. */
async function lockFees(tx: Tx, order: OrderRow, bookings: readonly Booking[]): Promise<string[]> {
  for (const [gateway, some] of Map.groupBy(bookings, (booking) => booking.gateway))
    await lockBooked(tx, order, { gateway, numbers: some.map(({ external_id }) => external_id) });
  return listFees(tx, order, bookings);
}

function uniquePieces(bookings: readonly Booking[]): Pick<Booking, "gateway" | "external_id">[] {
  return [...new Map(bookings.map(({ gateway, external_id }) => [`${gateway} ${external_id}`, { gateway, external_id }])).values()];
}

/** Releases one transfer: its number and its receipts. If it is another order's money, an exception holds it. */
async function freePiece(
  tx: Tx,
  pinned: Ctx,
  given: { order: OrderRow; piece: { gateway: string; external_id: string }; input: PaymentReversal; done: Done },
): Promise<void> {
  const { order, input, done } = given;
  const number = { gateway: given.piece.gateway, externalId: given.piece.external_id };
  const piece = await lockReceived(tx, order, number);
  if (piece === null) throw new Error("a booked payment has no received money");
  const receipt = await freeReceipts(tx, pinned, piece);
  let exceptionId: string | null = null;
  if (input.cause === "not_received") await deleteReceived(tx, order, number);
  else {
    const { exception, transaction } = await hold(tx, pinned, { order, piece, receiptId: receipt?.id ?? null });
    exceptionId = exception.id;
    if (receipt !== null) await keepWithException(tx, pinned, { receipt, piece, exceptionId });
    await updateReceivedHeld(tx, order, { ...number, exceptionId, receiptId: receipt?.id ?? null });
    done.exceptions.push(exception);
    done.transactions.push(transaction);
  }
  const { cause, note } = input;
  await insertReversedPayment(tx, piece, { order_id: order.id, cause, note, exception_id: exceptionId, by: pinned.actor.id });
  done.pieces.push(piece);
}

/** The exception names no order, because a person has to find out which one the money is for. */
async function hold(
  tx: Tx,
  pinned: Ctx,
  given: { order: OrderRow; piece: ReceivedRow; receiptId: string | null },
): Promise<{ exception: ExceptionRow; transaction: Transaction }> {
  const { order, piece, receiptId } = given;
  const { project_id, livemode, gateway, external_id, amount_minor, currency } = piece;
  const money = { gateway, amount_minor, currency };
  const id = pinned.id("exc");
  const [transaction] = await recordTransfers(tx, [
    {
      ...money,
      tenant: { project_id, livemode },
      id: pinned.id("txn"),
      kind: "suspense",
      source: `reversed:${id}`,
      debit: "custody",
      credit: "suspense",
      external_transaction_id: external_id,
      created_by: pinned.actor.id,
      now: pinned.now(),
    },
  ]);
  if (transaction === undefined) throw new Error("a transfer was not booked");
  const exception = await insertException(tx, {
    ...money,
    project_id,
    livemode,
    id,
    kind: "unmatched",
    order_id: null,
    payment_session_id: null,
    receipt_id: receiptId,
    external_id,
    transaction_id: transaction.id,
    detail: { reason: "payment_reversed", source: piece.source, occurred_at: piece.occurred_at, reversed_order_id: order.id },
    created_at: pinned.now(),
  });
  return { exception, transaction };
}

async function notify(tx: Tx, pinned: Ctx, given: { order: OrderRow; input: PaymentReversal; done: Done }): Promise<void> {
  const { order, input, done } = given;
  const { cause, note } = input;
  const payments = done.pieces.map(({ gateway, external_id, amount_minor, currency }) => ({
    gateway,
    external_transaction_id: external_id,
    amount_minor,
    currency,
  }));
  const transactions: NewEvent[] = [];
  for (const transaction of done.transactions) {
    const of = await orderOf(tx, order, transaction);
    transactions.push(transactionEvent(transaction, of, of.id));
  }
  const opened = done.exceptions.filter(({ status }) => status === "open").map(({ id }) => id);
  const events: NewEvent[] = [
    ...transactions,
    ...done.exceptions.map((exception) => exceptionEvent(exception, exception.order_id === null ? null : order)),
    orderEvent("payment.reversed", order, { cause, note, payments, payment_exception_ids: opened }),
  ];
  await emit(tx, pinned, { tenant: order, events });
  const [first] = payments;
  const detail = {
    cause,
    note,
    gateway: first?.gateway ?? null,
    external_id: first?.external_transaction_id ?? null,
    received_amount_minor: payments.reduce((sum, { amount_minor }) => sum + amount_minor, 0),
    payments,
    exceptions: opened,
    transactions: done.transactions.map(({ id }) => id),
  };
  await recordAudit(tx, {
    ctx: pinned,
    tenant: order,
    action: "order.payment_reversed",
    object_type: "order",
    object_id: order.id,
    detail,
  });
}

/** A provider's fee belongs to the order for which the payment was requested, also if its money was assigned to another one. */
async function orderOf(tx: Tx, order: OrderRow, { order_id }: Transaction): Promise<OrderRow> {
  if (order_id === null || order_id === order.id) return order;
  return (await findOrderRow(tx, order, order_id)) ?? order;
}
