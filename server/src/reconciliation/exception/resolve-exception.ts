import { recordAudit } from "#audit/index.ts";
import { emit } from "#events/index.ts";
import { findShortfallTolerance } from "#identity/index.ts";
import {
  type ExceptionRow,
  exceptionEvent,
  type Forgiveness,
  findException,
  findLatestSessionOf,
  findOrderRow,
  findPaymentOfHeld,
  findRequested,
  findSession,
  lockException,
  lockOrder,
  type ManualDetails,
  type Money,
  type OrderRow,
  orderErrors,
  refundHeld,
  refuseManualDetails,
  refuseOddDetails,
  refuseTaken,
  requestRefund,
  type ShownException,
  settle,
  uncountPart,
  updateExceptionResolved,
  writeHeldRequest,
} from "#orders/index.ts";
import { atNow, type Ctx, inSteps, platformErrors, type Tenant, type Tx } from "#platform/index.ts";
import { dropReceipt, payFromReceipt } from "../receipt/unbooked.ts";
import { isInformational } from "./is-informational.ts";

export interface Resolution {
  exception_id: string;
  action: "accept" | "refund" | "ignore";
  /** The order that the money is for; the exception's own if absent. */
  order_id?: string;
  /** The missing amount, if a payment is accepted as full although more is missing than the merchant's tolerance. */
  confirm_shortfall_minor?: number;
  /**
   * How its money is refunded: `gateway` through the payment's provider, the default if it came through one. Otherwise how a person
   * refunded it.
   */
  refund?: Omit<ManualDetails, "note"> & { method?: "gateway" | "manual" };
  note?: string | null;
}

const outgoing: readonly unknown[] = ["refund_unknown", "refunded_elsewhere"];

/**
 * A person's decision about money that settled nothing. `accept` makes it pay the order, short amounts included, or, if the order is
 * already paid, books it as the merchant's income; `refund` refunds it through its provider, or records that someone did; `ignore` leaves
 * it in suspense and closes the exception. A second decision gets review_exists.
 */
export async function resolveException(ctx: Ctx, tenant: Tenant, input: Resolution): Promise<ShownException> {
  refuseStrayFields(input);
  if (input.refund !== undefined) await refuseOddDetails(ctx, input.refund);
  if (input.action === "refund" && (await refundMethod(ctx, tenant, input)) === "gateway") return payBackByProvider(ctx, tenant, input);
  return ctx.transact(async (tx) => {
    const { exception, order, reference } = await holdCase(tx, tenant, input);
    if (exception === null) throw resolvedAlready();
    if (input.action === "accept") await accept(tx, ctx, { exception, order, input });
    else if (input.action === "ignore") await ignore(tx, ctx, { exception, order });
    else await refundHeld(tx, ctx, { exception, order, details: { ...input.refund, note: input.note ?? null } });
    return { ...(await closeException(tx, ctx, { exception, order, input })), reference };
  });
}

/** The exception with its order, both locked; no exception if it is resolved. */
async function holdCase(
  tx: Tx,
  tenant: Tenant,
  input: Resolution,
): Promise<{ exception: ExceptionRow | null; order: OrderRow | null; reference: string | null }> {
  const seen = await findException(tx, tenant, input.exception_id);
  if (seen === null) throw platformErrors.resource_missing({ param: "id" });
  const orderId = input.order_id ?? seen.order_id;
  // The order before the exception, as settle locks them.
  const order = orderId === null ? null : await lockOrder(tx, tenant, orderId);
  if (input.order_id !== undefined && order === null)
    throw platformErrors.parameter_invalid({
      param: "order_id",
      reason: "not_here",
      message: "No such order in this project and environment.",
    });
  const exception = await lockException(tx, tenant, input.exception_id);
  if (exception === null || exception.status === "resolved") return { exception: null, order, reference: seen.reference };
  refuseInformational(exception, input);
  refuseStrangers(exception, order);
  return { exception, order, reference: seen.reference };
}

function resolvedAlready(): Error {
  return orderErrors.review_exists({ message: "This exception is already resolved." });
}

async function refundMethod(ctx: Ctx, tenant: Tenant, input: Resolution): Promise<"gateway" | "manual"> {
  if (input.refund?.method !== undefined) return input.refund.method;
  const exception = await findException(ctx.db, tenant, input.exception_id);
  return exception === null || (await findPaymentOfHeld(ctx.db, exception)) === null ? "manual" : "gateway";
}

/** The exception closes right away; if the provider doesn't refund its money, it is opened again. */
function payBackByProvider(ctx: Ctx, tenant: Tenant, input: Resolution): Promise<ShownException> {
  refuseManualDetails(input.refund ?? {}, "refund.");
  return inSteps(ctx, async (steps) => {
    await requestRefund(steps, tenant, async (tx, requester) => {
      const { exception, order } = await holdCase(tx, tenant, input);
      const existing = await findRequested(tx, tenant, requester);
      if (existing !== null) return existing;
      if (exception === null) throw resolvedAlready();
      const details = { reason: input.refund?.reason ?? null, note: input.note ?? null };
      const written = await writeHeldRequest(tx, steps, { exception, order, details, requester });
      await closeException(tx, await atNow(steps, tx), { exception, order, input });
      return written;
    });
    const after = await findException(steps.db, tenant, input.exception_id);
    if (after === null) throw new Error("a resolved exception vanished");
    return after;
  });
}

/** Fields that belong to only one of the actions. */
function refuseStrayFields({ action, confirm_shortfall_minor, refund, order_id }: Resolution): void {
  if (action !== "accept" && confirm_shortfall_minor !== undefined)
    throw platformErrors.parameter_conflict({
      param: "confirm_shortfall_minor",
      reason: "shortfall_without_accept",
      message: "A shortfall can only be confirmed when accepting money.",
    });
  if (action !== "refund" && refund !== undefined)
    throw platformErrors.parameter_conflict({
      param: "refund",
      reason: "not_allowed",
      message: "Refund details can only be sent with the action refund.",
    });
  if (action === "refund" && order_id !== undefined)
    throw platformErrors.parameter_conflict({
      param: "order_id",
      reason: "not_allowed",
      message: "An order can only be given when accepting money.",
    });
}

/** Closes a locked exception, with its event and its audit row. */
export async function closeException(
  tx: Tx,
  ctx: Ctx,
  given: { exception: ExceptionRow; order: OrderRow | null; input: Pick<Resolution, "action" | "note" | "confirm_shortfall_minor"> },
): Promise<ExceptionRow> {
  const { exception, order, input } = given;
  const by = ctx.actor.id;
  const resolved = await updateExceptionResolved(tx, exception, {
    resolution: input.action,
    note: input.note ?? null,
    orderId: order?.id ?? null,
    by,
  });
  if (resolved === null) throw new Error("a locked exception changed under its lock");
  await emit(tx, ctx, {
    tenant: exception,
    events: [exceptionEvent(resolved, order === null ? null : await findOrderRow(tx, exception, order.id))],
  });
  await recordAudit(tx, {
    ctx,
    tenant: exception,
    action: "payment.exception_resolved",
    object_type: "payment_exception",
    object_id: exception.id,
    detail: {
      action: input.action,
      order_id: order?.id ?? null,
      note: input.note ?? null,
      ...(input.confirm_shortfall_minor === undefined ? {} : { confirmed_shortfall_minor: input.confirm_shortfall_minor }),
    },
  });
  return resolved;
}

function refuseInformational(exception: ExceptionRow, { action }: Resolution): void {
  if (action === "ignore" || !isInformational(exception)) return;
  const message = "This exception reports something at the provider and holds no money. Ignore it with a note once you have dealt with it.";
  throw orderErrors.order_state_conflict({ message, fields: { exception_id: exception.id } });
}

function refuseStrangers(exception: ExceptionRow, order: OrderRow | null): void {
  const ownAlone = exception.kind === "underpaid" || exception.kind === "overpaid";
  if (ownAlone && order?.id !== exception.order_id)
    throw platformErrors.parameter_conflict({
      param: "order_id",
      reason: "already_counted",
      message: "This money has already been counted toward its own order.",
    });
}

/** Money in suspense settles like all money. A missing amount is forgiven within the merchant's tolerance, or once it is confirmed. */
async function accept(tx: Tx, ctx: Ctx, given: { exception: ExceptionRow; order: OrderRow | null; input: Resolution }): Promise<void> {
  const { exception, order, input } = given;
  refuseOutgoing(exception);
  const upToMinor = order === null ? 0 : await findShortfallTolerance(tx, order);
  const forgives = { upToMinor, confirmedMinor: input.confirm_shortfall_minor ?? null };
  if (exception.transaction_id === null) return acceptUnbooked(tx, ctx, { exception, order, input, forgives });
  await refuseTaken(tx, exception);
  const money = await heldMoney(tx, { exception, order });
  await settle(tx, ctx, { tenant: exception, money: { ...money, source: "resolution", forgives }, from: exception });
}

/** An exception about a refund concerns money that was paid out, so there is none to assign to an order. */
function refuseOutgoing({ id, detail }: ExceptionRow): void {
  if (!outgoing.includes(detail["reason"])) return;
  const message =
    "This exception is about a refund: no money arrived that could be accepted. Check with the payment provider, record what was refunded there, and ignore the exception with a note.";
  throw orderErrors.order_state_conflict({ message, fields: { exception_id: id } });
}

/**
 * Money that isn't booked is booked first. If its order was paid in the meantime, it is then a duplicate, which the same decision accepts.
 */
async function acceptUnbooked(
  tx: Tx,
  ctx: Ctx,
  given: { exception: ExceptionRow; order: OrderRow | null; input: Resolution; forgives: Forgiveness },
): Promise<void> {
  const { order, input } = given;
  const { exception, order: after } = await payFromReceipt(tx, ctx, given);
  if (exception?.kind !== "duplicate") return;
  await accept(tx, ctx, { exception, order: after ?? order, input });
  await closeException(tx, ctx, { exception, order: after ?? order, input });
}

/** An exception's money, as a payment for an order. */
export async function heldMoney(tx: Tx, given: { exception: ExceptionRow; order: OrderRow | null }): Promise<Omit<Money, "source">> {
  const { exception, order } = given;
  return {
    order_id: order?.id ?? null,
    session_id: order === null ? null : await findSessionId(tx, exception, order),
    gateway: exception.gateway,
    external_id: exception.external_id,
    amount_minor: exception.amount_minor,
    currency: exception.currency,
    occurred_at: exception.created_at,
    receipt_id: exception.receipt_id,
  };
}

/** The payment attempt of this money: the exception's own, or the order's newest on the same gateway. */
async function findSessionId(tx: Tx, exception: ExceptionRow, order: OrderRow): Promise<string | null> {
  const own = exception.payment_session_id === null ? null : await findSession(tx, order, exception.payment_session_id);
  if (own?.order_id === order.id) return own.id;
  return (await findLatestSessionOf(tx, order, { orderId: order.id, gateway: exception.gateway }))?.id ?? null;
}

async function ignore(tx: Tx, ctx: Ctx, given: { exception: ExceptionRow; order: OrderRow | null }): Promise<void> {
  const { exception } = given;
  return exception.transaction_id === null ? dropReceipt(tx, ctx, exception) : uncountPart(tx, given);
}
