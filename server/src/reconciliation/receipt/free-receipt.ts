import { type ReceiptRow, updateReceipt } from "#collection/index.ts";
import { emit } from "#events/index.ts";
import { reverseTransfer } from "#ledger/index.ts";
import {
  countDuplicates,
  deleteReceived,
  type ExceptionRow,
  exceptionEvent,
  findException,
  findExceptionTenant,
  findOrderRow,
  lockException,
  lockOrder,
  orderErrors,
  releaseOf,
  transactionEvent,
  uncountPart,
  updateExceptionReleased,
  updateOrder,
} from "#orders/index.ts";
import type { Ctx, Tenant, Tx } from "#platform/index.ts";
import { refuseElsewhere } from "./own-receipt.ts";
import { writeReceiptResult } from "./settle-receipt.ts";

const releasable = ["unmatched", "late", "duplicate", "mismatch", "underpaid"];

/** True if a receipt's money is still held in its exception, from which it can be taken back out of the books. */
export function isReleasable({ status, resolution, kind, transaction_id }: ExceptionRow): boolean {
  return (status === "open" || resolution === "ignore") && releasable.includes(kind) && transaction_id !== null;
}

/**
 * Reverts a locked receipt's outcome as far as possible: a link is removed, money held for a person leaves suspense by a reversal, and the
 * number can be booked again. Throws order_state_conflict for a receipt that paid an order, because paid orders stay paid, and
 * session_required for a key if the order belongs to another project than `tenant`.
 */
export async function freeReceipt(
  tx: Tx,
  ctx: Ctx,
  given: { tenant: Tenant; receipt: ReceiptRow; note: string | null },
): Promise<ReceiptRow> {
  const { tenant, receipt, note } = given;
  const exception = await exceptionOf(tx, receipt);
  refuseElsewhere(ctx, tenant, [receipt.booked_project_id, exception?.project_id ?? null]);
  if (receipt.status !== "matched") {
    if (exception !== null && exception.transaction_id === null) await close(tx, ctx, { exception, note });
    return updateReceipt(tx, receipt, { status: "unmatched", exception_id: null });
  }
  if (exception === null)
    throw orderErrors.order_state_conflict({
      message: "This receipt paid an order, which can't be undone.",
      fields: { receipt_id: receipt.id },
    });
  if (!isReleasable(exception)) {
    const message = "This receipt's money was already decided on in its exception.";
    throw orderErrors.order_state_conflict({ message, fields: { exception_id: exception.id, exception_status: exception.status } });
  }
  await release(tx, ctx, { exception, note });
  return writeReceiptResult(tx, ctx, {
    receipt: await updateReceipt(tx, receipt, { status: "unmatched", released: true }),
    status: "unmatched",
    booked: null,
    session_id: null,
    exception_id: null,
  });
}

async function exceptionOf(tx: Tx, receipt: ReceiptRow): Promise<ExceptionRow | null> {
  if (receipt.exception_id === null) return null;
  const place = await findExceptionTenant(tx, receipt, receipt.exception_id);
  const seen = place === null ? null : await findException(tx, place, receipt.exception_id);
  if (seen === null) return null;
  // The order before the exception, the lock order of settle.
  if (seen.order_id !== null) await lockOrder(tx, seen, seen.order_id);
  return lockException(tx, seen, seen.id);
}

async function release(tx: Tx, ctx: Ctx, given: { exception: ExceptionRow; note: string | null }): Promise<void> {
  const { exception } = given;
  await uncountPart(tx, { exception, order: exception.order_id === null ? null : await findOrderRow(tx, exception, exception.order_id) });
  const transaction = await reverseTransfer(tx, exception, releaseOf(ctx, exception).reversal);
  await deleteReceived(tx, exception, { gateway: exception.gateway, externalId: exception.external_id });
  await close(tx, ctx, given);
  await dropDuplicateFlag(tx, exception);
  const order = exception.order_id === null ? null : await findOrderRow(tx, exception, exception.order_id);
  await emit(tx, ctx, { tenant: exception, events: [transactionEvent(transaction, order, order?.id ?? exception.id)] });
}

/** An order without a second payment isn't flagged as paid twice. */
async function dropDuplicateFlag(tx: Tx, exception: ExceptionRow): Promise<void> {
  if (exception.kind !== "duplicate" || exception.order_id === null) return;
  const order = await lockOrder(tx, exception, exception.order_id);
  if (order === null || !order.flags.includes("duplicate_payment") || (await countDuplicates(tx, exception, order.id)) > 0) return;
  await updateOrder(tx, order, { from: [order.status], to: order.status, dropFlags: ["duplicate_payment"] });
}

async function close(tx: Tx, ctx: Ctx, given: { exception: ExceptionRow; note: string | null }): Promise<void> {
  const { exception, note } = given;
  const closed = await updateExceptionReleased(tx, exception, { note, by: ctx.actor.id });
  if (closed === null) return;
  const order = exception.order_id === null ? null : await findOrderRow(tx, exception, exception.order_id);
  await emit(tx, ctx, { tenant: exception, events: [exceptionEvent(closed, order)] });
}
