import { recordAudit } from "#audit/index.ts";
import { lockDuplicates, methodOfChannel, type ReceiptRow, type ReceiptStatus, updateReceipt } from "#collection/index.ts";
import { emit } from "#events/index.ts";
import {
  exceptionEvent,
  type Forgiveness,
  findOrderRow,
  insertException,
  type Money,
  orderErrors,
  type Settled,
  settle,
  updateReceivedReceipt,
} from "#orders/index.ts";
import type { Ctx, Tenant, Tx } from "#platform/index.ts";
import type { BookedPayment, Reservation } from "./match/world.ts";

/** The number of a receipt's money if its source gave none. */
export function moneyIdOf(receipt: ReceiptRow): string {
  return receipt.external_id ?? `receipt:${receipt.id}`;
}

interface Target {
  order: Tenant & { id: string };
  session_id: string | null;
}

/** Refuses a transfer that the wallet doesn't report as received: one that isn't finished, or was refunded in full or in part. */
export function refuseUnsettled(receipt: Pick<ReceiptRow, "id" | "state">, param: string): void {
  if (receipt.state === "final") return;
  const message = receipt.state === "unfinished" ? "This transfer isn't complete yet." : "This transfer was refunded in full or in part.";
  throw orderErrors.order_state_conflict({ param, message, fields: { receipt_id: receipt.id, receipt_state: receipt.state } });
}

function bookedBefore({ exception }: Settled): Error {
  const fields = exception === null ? {} : { exception_id: exception.id };
  return orderErrors.review_exists({ param: "receipt_id", message: "A payment with this transfer number is already booked.", fields });
}

/**
 * Books a receipt's money for an order through the settle path. `source` says who decided: matching, or a person. Throws review_exists if a
 * person assigns a number that is already booked; matching leaves such a receipt unchanged.
 */
export async function bookReceipt(
  tx: Tx,
  ctx: Ctx,
  given: { receipt: ReceiptRow; target: Target; source: Extract<Money["source"], "receipt" | "link">; forgives?: Forgiveness },
): Promise<{ receipt: ReceiptRow; settled: Settled }> {
  const { receipt, target, source } = given;
  refuseUnsettled(receipt, "receipt_id");
  const tenant = { project_id: target.order.project_id, livemode: target.order.livemode };
  const external_id = moneyIdOf(receipt);
  const settled = await settle(tx, ctx, {
    tenant,
    money: {
      order_id: target.order.id,
      session_id: target.session_id,
      gateway: methodOfChannel(receipt.channel).gateway,
      external_id,
      amount_minor: receipt.amount_minor,
      currency: receipt.currency,
      source,
      occurred_at: receipt.occurred_at,
      receipt_id: receipt.id,
      attempt: receipt.releases,
      ...(given.forgives === undefined ? {} : { forgives: given.forgives }),
    },
  });
  if (settled.repeat) {
    if (source === "link") throw bookedBefore(settled);
    return { receipt, settled };
  }
  const { exception } = settled;
  const updated = await writeReceiptResult(tx, ctx, {
    receipt,
    status: "matched",
    booked: { project_id: tenant.project_id, external_id },
    session_id: exception === null ? target.session_id : null,
    exception_id: exception?.id ?? null,
  });
  return { receipt: updated, settled };
}

/** Links a receipt to money that is already booked; nothing is booked. */
export async function linkToPiece(tx: Tx, ctx: Ctx, given: { receipt: ReceiptRow; piece: BookedPayment }): Promise<ReceiptRow> {
  const { receipt, piece } = given;
  const tenant = { project_id: piece.project_id, livemode: receipt.livemode };
  await updateReceivedReceipt(tx, tenant, {
    gateway: methodOfChannel(receipt.channel).gateway,
    externalId: piece.external_id,
    receiptId: receipt.id,
  });
  return writeReceiptResult(tx, ctx, {
    receipt,
    status: "linked",
    booked: { project_id: piece.project_id, external_id: piece.external_id },
    session_id: piece.session_id,
    exception_id: null,
  });
}

interface ReceiptResult {
  receipt: ReceiptRow;
  status: ReceiptStatus;
  booked: { project_id: string; external_id: string } | null;
  session_id: string | null;
  exception_id: string | null;
  set_id?: string | null;
}

/** Writes the result of a receipt; receipts of other sources that show the same transfer follow it. */
export async function writeReceiptResult(tx: Tx, ctx: Ctx, given: ReceiptResult): Promise<ReceiptRow> {
  const { receipt, status, booked, session_id, exception_id } = given;
  const set_id = given.set_id ?? null;
  const decided_by = ctx.actor.kind === "person" ? ctx.actor.id : null;
  const updated = await updateReceipt(tx, receipt, { status, booked, payment_session_id: session_id, exception_id, set_id, decided_by });
  for (const duplicate of await lockDuplicates(tx, receipt)) {
    if (duplicate.status === "linked")
      await updateReceipt(tx, duplicate, { status: "linked", booked, payment_session_id: session_id, exception_id, set_id });
  }
  return updated;
}

/** Our mark with another amount: reported to a person with the order that it names. It isn't booked, and the order doesn't change. */
export async function openMismatch(
  tx: Tx,
  ctx: Ctx,
  given: { receipt: ReceiptRow; reservation: Reservation; session_id: string | null; expected_minor: number },
): Promise<ReceiptRow> {
  const { receipt, reservation, session_id, expected_minor } = given;
  const tenant = { project_id: reservation.project_id, livemode: receipt.livemode };
  const exception = await insertException(tx, {
    ...tenant,
    id: ctx.id("exc"),
    kind: "mismatch",
    order_id: reservation.order_id,
    payment_session_id: session_id,
    receipt_id: receipt.id,
    gateway: methodOfChannel(receipt.channel).gateway,
    external_id: moneyIdOf(receipt),
    amount_minor: receipt.amount_minor,
    currency: receipt.currency,
    transaction_id: null,
    detail: { reason: "other_amount", asked_minor: expected_minor, occurred_at: receipt.occurred_at },
    created_at: ctx.now(),
  });
  const order = await findOrderRow(tx, tenant, reservation.order_id);
  await emit(tx, ctx, { tenant, events: [exceptionEvent(exception, order)] });
  const detail = { kind: exception.kind, order_id: reservation.order_id, booked: false };
  await recordAudit(tx, {
    ctx,
    tenant,
    action: "payment.exception_opened",
    object_type: "payment_exception",
    object_id: exception.id,
    detail,
  });
  return updateReceipt(tx, receipt, { status: "unmatched", exception_id: exception.id });
}
