import { recordAudit } from "#audit/index.ts";
import { externalKey, refuseOddNumber } from "#collection/index.ts";
import { emit } from "#events/index.ts";
import {
  failureEvents,
  findLatestSession,
  findLink,
  findReceived,
  isPersonal,
  listSessionRows,
  lockOpenSession,
  lockOrder,
  type OrderBundle,
  type OrderRow,
  orderErrors,
  orderEvent,
  owesAgain,
  recordSession,
  refuseOddTime,
  type SessionRow,
  sessionEvent,
  updateOrder,
  updateSession,
  updateSubmittedVoucher,
} from "#orders/index.ts";
import { atNow, type Ctx, platformErrors, type Tenant, type Tx } from "#platform/index.ts";
import { lockAccountsOfOrder } from "../receipt/link-waiting.ts";
import { approvePayment } from "./approve-payment.ts";
import { refuseUnseen } from "./refuse-unseen.ts";
import type { ReviewInput } from "./review-input.ts";

/**
 * A person's word on a payment: approval goes through the settle path, rejection returns the order to the buyer with the reason.
 * With a gateway it can be approved although the buyer never reported it. The second of two reviewers gets review_exists, and one who
 * looked at another payment or proof than waits now order_state_conflict.
 */
export async function reviewOrder(ctx: Ctx, tenant: Tenant, input: ReviewInput): Promise<OrderBundle> {
  if (input.decision === "reject" && input.reason_code === undefined)
    throw platformErrors.parameter_missing({ param: "reason_code", reason: "required" });
  if (input.paid_at !== undefined) refuseOddTime(await atNow(ctx, ctx.db), "paid_at", input.paid_at);
  if (input.external_transaction_id !== undefined) refuseOddNumber("external_transaction_id", input.external_transaction_id);
  return ctx.transact(async (tx) => {
    if (input.decision === "approve") await lockAccountsOfOrder(tx, { tenant, order_id: input.order_id, gateway: input.gateway });
    const order = await lockOrder(tx, tenant, input.order_id);
    if (order === null) throw platformErrors.resource_missing({ param: "id" });
    const reviewed = (await isRepeat(tx, order, input)) ? order : await decideOn(tx, await atNow(ctx, tx), { order, input });
    return { order: reviewed, link: await findLink(tx, tenant, order.id), session: await findLatestSession(tx, tenant, order.id) };
  });
}

async function decideOn(tx: Tx, pinned: Ctx, given: { order: OrderRow; input: ReviewInput }): Promise<OrderRow> {
  const { order, input } = given;
  const sessions = await listSessionRows(tx, order, [order.id]);
  const open = await lockOpenSession(tx, order, order.id);
  const shown = open ?? sessions[0] ?? null;
  const session = input.gateway === undefined ? shown : ofGateway(sessions, input.gateway);
  refuseDecided(order, { session, input });
  await refuseUnseen(tx, { order, sessions, input });
  if (input.decision === "reject") return reject(tx, pinned, { order, session: waitingSession(sessions, input), input });
  return approvePayment(tx, pinned, { order, session: await payableSession(tx, pinned, { order, session, input }), shown, input });
}

/** The same transfer approved again for the order that it paid: the first result is returned. */
async function isRepeat(tx: Tx, order: OrderRow, input: ReviewInput): Promise<boolean> {
  if (input.decision !== "approve" || input.external_transaction_id === undefined || order.status !== "paid") return false;
  const sessions = await listSessionRows(tx, order, [order.id]);
  const gateway = input.gateway ?? sessions.find(({ status }) => status === "succeeded")?.gateway;
  if (gateway === undefined) return false;
  const first = await findReceived(tx, order, {
    gateway,
    externalId: input.external_transaction_id,
    key: isPersonal(gateway) ? externalKey(input.external_transaction_id) : null,
  });
  return (
    first?.order_id === order.id && first.outcome === "paid" && (input.received_amount_minor ?? first.amount_minor) === first.amount_minor
  );
}

/** The newest payment through this gateway; the reviewer doesn't mean an order that was only tried with another one. */
function ofGateway(sessions: SessionRow[], gateway: string): SessionRow | null {
  const same = sessions.find((session) => session.gateway === gateway) ?? null;
  if (same === null && sessions.length > 0)
    throw platformErrors.parameter_conflict({
      param: "gateway",
      reason: "other_gateway",
      message: `The order's payment was started with ${sessions[0]?.gateway}.`,
    });
  return same;
}

function refuseDecided(order: OrderRow, { session, input }: { session: SessionRow | null; input: ReviewInput }): void {
  const isPaid = order.status === "paid" && !(owesAgain(order) && input.decision === "approve");
  // With a gateway it is a separate payment, whatever was decided about the previous one.
  if (session !== null && session.reviewed_by !== null && (input.gateway === undefined || isPaid)) throw orderErrors.review_exists();
  if (isPaid) throw orderErrors.order_already_paid();
  if (order.status === "canceled") throw orderErrors.order_state_conflict({ fields: { status: order.status } });
}

/** What is rejected: the reported payment, whichever other ones the order had. */
function waitingSession(sessions: SessionRow[], { gateway }: ReviewInput): SessionRow | null {
  const waiting = sessions.find(({ status }) => status === "pending_verify") ?? null;
  if (waiting === null || gateway === undefined || gateway === waiting.gateway) return waiting;
  throw platformErrors.parameter_conflict({
    param: "gateway",
    reason: "other_gateway",
    message: `The payment that waits for review was made with ${waiting.gateway}. Leave out gateway to reject it.`,
  });
}

/** What is approved: the started payment, or one that the reviewer describes. */
async function payableSession(
  tx: Tx,
  pinned: Ctx,
  given: { order: OrderRow; session: SessionRow | null; input: ReviewInput },
): Promise<SessionRow> {
  const { order, session, input } = given;
  if (session !== null && session.reviewed_by === null) return session;
  if (input.gateway === undefined)
    throw platformErrors.parameter_missing({
      param: "gateway",
      reason: "gateway_needed",
      message: "No payment was started for this order. Send the gateway the money went through.",
    });
  return recordSession(tx, pinned, {
    order,
    gateway: input.gateway,
    last: session,
    reported: false,
    ...(input.paid_at === undefined ? {} : { since: input.paid_at }),
  });
}

async function reject(tx: Tx, pinned: Ctx, given: { order: OrderRow; session: SessionRow | null; input: ReviewInput }): Promise<OrderRow> {
  const { order, session, input } = given;
  if (order.status !== "pending_verify" || session === null)
    throw orderErrors.order_state_conflict({ message: "This order has no payment waiting for review.", fields: { status: order.status } });
  const now = pinned.now();
  const reason = input.reason_code ?? "not_received";
  const ends = reason === "fraud" || input.final === true || order.expires_at <= now;
  const voucher = await updateSubmittedVoucher(tx, order, { orderId: order.id, status: "rejected", reviewedBy: pinned.actor.id, reason });
  const failed = await updateSession(tx, session, {
    from: ["pending_verify"],
    to: "failed",
    reviewedBy: pinned.actor.id,
    failureCode: reason,
  });
  const rejection = { reason_code: reason, note: input.note ?? null, at: now };
  const moved = await updateOrder(tx, order, {
    from: ["pending_verify"],
    to: ends ? "failed" : "unpaid",
    rejection,
    ...(ends ? { failureCode: "proof_rejected" } : {}),
  });
  if (moved === null || failed === null) throw new Error("a locked order changed under its lock");
  const rejected = orderEvent("order.verification_rejected", moved, {
    reason_code: reason,
    note: rejection.note,
    voucher_id: voucher?.id ?? null,
  });
  const events = [rejected, sessionEvent("payment.session.failed", moved, failed), ...(ends ? failureEvents(moved) : [])];
  await emit(tx, pinned, { tenant: order, events });
  await recordAudit(tx, {
    ctx: pinned,
    tenant: order,
    action: "order.rejected",
    object_type: "order",
    object_id: order.id,
    detail: { reason_code: reason, final: ends, note: rejection.note },
  });
  return moved;
}
