import { emit } from "#events/index.ts";
import { recordAudit } from "#identity/index.ts";
import { type Ctx, platformErrors, type Tenant, type Tx } from "#platform/index.ts";
import { orderErrors } from "../errors.ts";
import { closeException, payFromSuspense } from "../exception/resolve-exception.ts";
import { lockHeldReceipts } from "../exception/sql.ts";
import { findLink } from "../link/sql.ts";
import { findOrderRow, lockOrder, updateOrder } from "../order/sql.ts";
import { failureEvents, orderEvent, sessionEvent } from "../order-events.ts";
import { linkWaitingReceipt } from "../receipt/link-waiting.ts";
import { findLatestSession, lockOpenSession, updateSession } from "../session/sql.ts";
import type { ExceptionRow, OrderBundle, OrderRow, SessionRow, VoucherRow } from "../shapes.ts";
import { findLatestVoucher, updateSubmittedVoucher } from "../voucher/sql.ts";
import { settle } from "./settle.ts";

export type ReasonCode = "not_received" | "amount_mismatch" | "duplicate_proof" | "unreadable" | "fraud";

export interface ReviewInput {
  order_id: string;
  decision: "approve" | "reject";
  /** What really arrived; the session's amount when absent. */
  received_amount_minor?: number;
  external_transaction_id?: string;
  reason_code?: ReasonCode;
  /** A rejection that ends the order instead of returning it to the buyer. */
  final?: boolean;
  note?: string | null;
}

/**
 * A person's word on a reported payment: approval goes through the settle path, rejection returns the order to the buyer with the reason.
 * The second of two reviewers gets review_exists.
 */
export async function reviewOrder(ctx: Ctx, tenant: Tenant, input: ReviewInput): Promise<OrderBundle> {
  if (input.decision === "reject" && input.reason_code === undefined) throw platformErrors.parameter_missing({ param: "reason_code" });
  return ctx.transact(async (tx) => {
    const order = await lockOrder(tx, tenant, input.order_id);
    if (order === null) throw platformErrors.resource_missing({ param: "id" });
    const open = await lockOpenSession(tx, tenant, order.id);
    const session = open ?? (await findLatestSession(tx, tenant, order.id));
    if (session === null) throw orderErrors.order_state_conflict({ message: "No payment of this order was started.", fields: { status: order.status } });
    refuseDecided(order, session);
    const reviewed = input.decision === "approve" ? await approve(tx, ctx, { order, session, input }) : await reject(tx, ctx, { order, session, input });
    return { order: reviewed, link: await findLink(tx, tenant, order.id), session: await findLatestSession(tx, tenant, order.id) };
  });
}

function refuseDecided(order: OrderRow, session: SessionRow): void {
  if (session.reviewed_by !== null) throw orderErrors.review_exists();
  if (order.status === "paid") throw orderErrors.order_already_paid();
  if (order.status === "canceled") throw orderErrors.order_state_conflict({ fields: { status: order.status } });
}

async function approve(tx: Tx, ctx: Ctx, given: { order: OrderRow; session: SessionRow; input: ReviewInput }): Promise<OrderRow> {
  const { order, session, input } = given;
  const voucher = await findLatestVoucher(tx, order, order.id);
  const waiting = voucher?.status === "submitted" ? voucher : null;
  const amountMinor = input.received_amount_minor ?? session.payable_amount_minor;
  const settled =
    (await payFromReceipt(tx, ctx, { order, session, amountMinor, input })) ?? (await settleReviewed(tx, ctx, { order, session, amountMinor, waiting, input }));
  await recordAudit(tx, {
    ctx,
    tenant: order,
    action: "order.approved",
    object_type: "order",
    object_id: order.id,
    detail: {
      outcome: settled.outcome,
      external_id: settled.externalId,
      received_amount_minor: input.received_amount_minor ?? null,
      voucher_id: waiting?.id ?? null,
      note: input.note ?? null,
    },
  });
  return settled.order;
}

interface Approved {
  outcome: string;
  order: OrderRow;
  externalId: string;
}

interface Approval {
  order: OrderRow;
  session: SessionRow;
  amountMinor: number;
  input: ReviewInput;
}

const beforeOrderMs = 10 * 60_000;

/** The receipt may have come before anybody reported the payment and stand in suspense: then that very money pays, and nothing is booked a second time. */
async function payFromReceipt(tx: Tx, ctx: Ctx, given: Approval): Promise<Approved | null> {
  const { order, session, amountMinor, input } = given;
  const since = new Date(order.created_at.getTime() - beforeOrderMs);
  const held = await lockHeldReceipts(tx, order, { gateway: session.gateway, amountMinor, currency: order.currency, since });
  const named = held.filter((exception) => exception.external_id === input.external_transaction_id);
  const fits = input.external_transaction_id === undefined ? held : named;
  const [exception] = fits;
  if (fits.length !== 1 || exception === undefined) return null;
  await payFromSuspense(tx, ctx, { exception, order });
  await closeException(tx, ctx, { exception, order, input: { action: "accept", note: input.note ?? null } });
  return { outcome: "paid", order: (await findOrderRow(tx, order, order.id)) ?? order, externalId: exception.external_id };
}

async function settleReviewed(tx: Tx, ctx: Ctx, given: Approval & { waiting: VoucherRow | null }): Promise<Approved> {
  const { order, session, amountMinor, waiting, input } = given;
  const externalId = input.external_transaction_id ?? `manual:${waiting?.id ?? session.id}`;
  const occurred_at = waiting?.paid_at ?? session.reported_at ?? ctx.now();
  const settled = await settle(tx, ctx, {
    tenant: order,
    money: {
      order_id: order.id,
      session_id: session.id,
      gateway: session.gateway,
      external_id: externalId,
      amount_minor: amountMinor,
      currency: session.currency,
      source: "review",
      occurred_at,
    },
  });
  if (settled.repeat) throw alreadyBooked(settled.exception);
  await linkWaitingReceipt(tx, ctx, { session, amountMinor, externalId });
  return { outcome: settled.outcome, order: settled.order ?? order, externalId };
}

function alreadyBooked(exception: ExceptionRow | null): Error {
  const param = "external_transaction_id";
  if (exception === null) return orderErrors.review_exists({ param, message: "A payment with this transaction id was booked already." });
  const message = "The payment with this transaction id waits among the exceptions. Resolve it there for this order.";
  return orderErrors.review_exists({ param, message, fields: { exception_id: exception.id } });
}

async function reject(tx: Tx, ctx: Ctx, given: { order: OrderRow; session: SessionRow; input: ReviewInput }): Promise<OrderRow> {
  const { order, session, input } = given;
  if (order.status !== "pending_verify")
    throw orderErrors.order_state_conflict({ message: "No payment of this order waits for a review.", fields: { status: order.status } });
  const now = ctx.now();
  const reason = input.reason_code ?? "not_received";
  const ends = reason === "fraud" || input.final === true || order.expires_at <= now;
  const voucher = await updateSubmittedVoucher(tx, order, { orderId: order.id, status: "rejected", reviewedBy: ctx.actor.id, reason, now });
  const failed = await updateSession(tx, session, { from: ["pending_verify"], to: "failed", now, reviewedBy: ctx.actor.id, failureCode: reason });
  const rejection = { reason_code: reason, note: input.note ?? null, at: now };
  const moved = await updateOrder(tx, order, {
    from: ["pending_verify"],
    to: ends ? "failed" : "unpaid",
    now,
    rejection,
    ...(ends ? { failureCode: "proof_rejected" } : {}),
  });
  if (moved === null) throw new Error("a locked order changed under its lock");
  const rejected = orderEvent("order.verification_rejected", moved, { reason_code: reason, note: rejection.note, voucher_id: voucher?.id ?? null });
  const events = [rejected, ...(failed === null ? [] : [sessionEvent("payment.session.failed", moved, failed)]), ...(ends ? failureEvents(moved) : [])];
  await emit(tx, ctx, { tenant: order, events });
  await recordAudit(tx, {
    ctx,
    tenant: order,
    action: "order.rejected",
    object_type: "order",
    object_id: order.id,
    detail: { reason_code: reason, final: ends, note: rejection.note },
  });
  return moved;
}
