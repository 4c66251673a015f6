import { emit } from "#events/index.ts";
import type { CallbackEffect, GatewayAmount, RefundSnapshot } from "#gateways/index.ts";
import { atNow, type Ctx, type Tx } from "#platform/index.ts";
import { exceptionEvent } from "../../order-events.ts";
import { openFinding } from "../../polling/open-finding.ts";
import { listDisputesOfPayment } from "../../rows/disputes.sql.ts";
import { listFindings, updateExceptionReleased, updateFindingNamed } from "../../rows/exceptions.sql.ts";
import {
  findGatewayRefundAt,
  findRefundOfTotal,
  findRefundsOfPayment,
  lockHeldRefunded,
  updateGatewayRefundNamed,
  updateRefundsHurried,
} from "../../rows/gateway-refunds.sql.ts";
import { lockOrder } from "../../rows/orders.sql.ts";
import { findRefundRow, listRefundsOfOrders } from "../../rows/refunds.sql.ts";
import type { ExceptionRow, GatewayPaymentRow, OrderRow, RefundRow } from "../../shapes.ts";
import { choosePaymentAtProvider } from "../booking/choose-payment.ts";
import { takeOut } from "../booking/take-out.ts";
import { recordMade } from "./record-made.ts";
import { recordReturned } from "./record-returned.ts";

/** Why a refund made at the provider needs a person. */
const reason = "refunded_elsewhere";

interface Stranger {
  payment: GatewayPaymentRow;
  /** As the provider reports it. Only one that succeeded is booked. */
  refund: RefundSnapshot;
}

/**
 * Records a refund that someone made at the provider: its money left the merchant's account, so it leaves the books. One that is still
 * processing, that doesn't fit the order, or that a person may have recorded already, and a refund of ours that was made although it counts
 * as failed, is shown to a person instead.
 */
export function recordStranger(ctx: Ctx, { payment, refund }: Stranger): Promise<CallbackEffect> {
  const { providerRefundId, amount } = refund;
  if (providerRefundId === null || amount === null) return Promise.resolve("nothing");
  const named = { payment, providerRefundId, amount };
  return ctx.transactUnclaimed(async (tx) => {
    const order = await lockOrder(tx, payment, payment.order_id);
    if (order === null) throw new Error("a payment's order vanished");
    const known = await findGatewayRefundAt(tx, payment, { credentialId: payment.credential_id, providerRefundId });
    const isFailed = known !== null && (await findRefundRow(tx, payment, known.id))?.status === "failed";
    const findings = await listFindings(tx, payment, reason);
    const manual = await listManual(tx, order);
    const isReported = (known !== null && !isFailed) || findings.some(({ external_id }) => external_id === providerRefundId);
    if (isReported) return "nothing";
    if (manual.some((one) => namesOf(one).includes(providerRefundId))) return releaseLater(ctx, tx, { ...named, order, findings });
    if (known === null && (await isCounted(tx, named))) return "nothing";
    const pinned = await atNow(ctx, tx);
    const isBookable = !isFailed && refund.state === "succeeded";
    const held = isBookable ? await lockHeldRefunded(tx, payment) : null;
    if (held?.amount_minor === amount.amount_minor) {
      await recordReturned(tx, pinned, { exception: held, order, payment, state: refund.providerState, providerRefundId });
      return "applied";
    }
    const isDuplicate = manual.some(({ amount_minor, gateway }) => amount_minor === amount.amount_minor && gateway === payment.gateway);
    if (!isBookable || isDuplicate || !(await isFitting(tx, { order, payment, amount })))
      return openStranger(tx, pinned, { ...named, order, findings });
    await book(tx, pinned, { ...named, order, state: refund.providerState });
    await release(tx, pinned, { ...named, order, findings });
    return "applied";
  });
}

async function listManual(tx: Tx, order: OrderRow): Promise<RefundRow[]> {
  return (await listRefundsOfOrders(tx, order, [order.id])).filter(({ method, status }) => method === "manual" && status !== "failed");
}

/** The provider's id of a manually recorded refund: as entered, or from the provider's list. */
function namesOf({ external_transaction_id, gateway_refund_id }: RefundRow): (string | null)[] {
  return [external_transaction_id, gateway_refund_id];
}

/**
 * Whether the refund is one that only the payment's total showed, and that is all of the payment's money: it can only be that one, which
 * has the provider's id from now on, or a part of it.
 */
async function isCounted(tx: Tx, { payment, providerRefundId, amount }: Omit<Named, "order">): Promise<boolean> {
  const counted = await findRefundOfTotal(tx, payment);
  if (counted === null) return false;
  if (counted.amount_minor === amount.amount_minor) await updateGatewayRefundNamed(tx, counted, providerRefundId);
  return true;
}

interface Named {
  payment: GatewayPaymentRow;
  order: OrderRow;
  providerRefundId: string;
  amount: GatewayAmount;
}

async function isFitting(tx: Tx, { order, payment, amount }: Omit<Named, "providerRefundId">): Promise<boolean> {
  if (order.status !== "paid" || order.currency !== amount.currency) return false;
  // The dispute itself may have refunded the buyer.
  if ((await listDisputesOfPayment(tx, payment)).length > 0) return false;
  const leftMinor = order.amount_received_minor - order.amount_refunded_minor - order.amount_refunding_minor - order.amount_disputed_minor;
  const chosen = await choosePaymentAtProvider(tx, { order, input: { payment_session_id: payment.payment_session_id } });
  return amount.amount_minor <= Math.min(leftMinor, chosen?.restMinor ?? 0);
}

async function book(tx: Tx, pinned: Ctx, given: Named & { state: string }): Promise<void> {
  const { payment, order, providerRefundId, amount, state } = given;
  const { payment_session_id, gateway } = payment;
  const id = pinned.id("rf");
  const of = { order_id: order.id, exception_id: null, payment_session_id, gateway, ...amount };
  const transaction = await takeOut(tx, pinned, {
    order,
    refund: { ...of, id },
    amountMinor: amount.amount_minor,
    number: providerRefundId,
  });
  await recordMade(tx, pinned, { payment, id, of, transaction, providerRefundId, state });
}

/** An earlier report of its payment, which didn't name it, is explained now. */
async function release(tx: Tx, pinned: Ctx, given: Named & { findings: readonly ExceptionRow[] }): Promise<boolean> {
  const { payment, order, findings, amount } = given;
  const isExplained = ({ status, external_id, amount_minor }: ExceptionRow) =>
    status === "open" && external_id === sumName(payment) && amount_minor <= amount.amount_minor;
  const explained = findings.find(isExplained);
  const released = explained === undefined ? null : await updateExceptionReleased(tx, explained, { note: null, by: pinned.actor.id });
  if (released !== null) await emit(tx, pinned, { tenant: order, events: [exceptionEvent(released, order)] });
  return released !== null;
}

/** A person recorded it after its payment had reported it by the total. */
async function releaseLater(ctx: Ctx, tx: Tx, given: Named & { findings: readonly ExceptionRow[] }): Promise<CallbackEffect> {
  return (await release(tx, await atNow(ctx, tx), given)) ? "applied" : "nothing";
}

async function openStranger(tx: Tx, pinned: Ctx, given: Named & { findings: readonly ExceptionRow[] }): Promise<CallbackEffect> {
  const { payment, order, providerRefundId, amount, findings } = given;
  // Its payment reported it first, only by the total: the exception belongs to this refund from now on.
  const bySum = findings.find(({ external_id, amount_minor }) => external_id === sumName(payment) && amount_minor === amount.amount_minor);
  if (bySum === undefined) await notify(tx, pinned, { payment, order, amount, externalId: providerRefundId });
  else await updateFindingNamed(tx, bySum, providerRefundId);
  return "applied";
}

/** The reference of an exception that only a payment's total caused. */
function sumName({ settled_id, payment_session_id }: GatewayPaymentRow): string {
  return settled_id ?? payment_session_id;
}

async function notify(
  tx: Tx,
  pinned: Ctx,
  given: { payment: GatewayPaymentRow; order: OrderRow; amount: GatewayAmount; externalId: string },
): Promise<void> {
  const { payment, order, amount, externalId } = given;
  const { payment_session_id: sessionId, gateway } = payment;
  const tenant = { project_id: order.project_id, livemode: order.livemode };
  await openFinding(tx, pinned, { tenant, order, sessionId, gateway, externalId, kind: "mismatch", amount, detail: { reason } });
}

/**
 * Compares a provider's refunded total of a payment with the known refunds. Money that was refunded without us is reported as an exception,
 * by its total: which refund it was, only a callback says. Where less went back than is booked, a refund may have failed since, and the
 * provider is asked. The order and the payment are locked.
 */
export async function compareRefunded(
  tx: Tx,
  pinned: Ctx,
  given: { order: OrderRow; payment: GatewayPaymentRow; refunded: GatewayAmount | null },
): Promise<void> {
  const { order, payment, refunded } = given;
  if (refunded === null || refunded.currency !== payment.paid_currency) return;
  const { succeeded, open } = await findRefundsOfPayment(tx, payment);
  if (refunded.amount_minor < succeeded) await updateRefundsHurried(tx, payment, "succeeded");
  if (open > 0 && refunded.amount_minor > succeeded) await updateRefundsHurried(tx, payment, "open");
  if (refunded.amount_minor <= succeeded + open) return;
  const findings = await listFindings(tx, payment, reason);
  const recorded = await sumRecorded(tx, { order, payment, findings });
  const strange = refunded.amount_minor - succeeded - open - recorded;
  const reported = findings.reduce((sum, { amount_minor }) => sum + amount_minor, 0);
  if (strange <= reported) return;
  const amount = { amount_minor: strange - reported, currency: refunded.currency };
  await notify(tx, pinned, { payment, order, amount, externalId: sumName(payment) });
}

/**
 * What people refunded at the provider and recorded with its number. One that has an exception isn't included: the exception counts it
 * already.
 */
async function sumRecorded(
  tx: Tx,
  { order, payment, findings }: { order: OrderRow; payment: GatewayPaymentRow; findings: readonly ExceptionRow[] },
): Promise<number> {
  const left = [...findings];
  let sum = 0;
  for (const one of await listManual(tx, order)) {
    const { payment_session_id, gateway_refund_id, external_transaction_id, channel, amount_minor } = one;
    // A provider is no channel of its own: `other` is the default for its payments. The number of another channel is that of a transfer.
    const isAtProvider = gateway_refund_id !== null || (external_transaction_id !== null && channel === "other");
    if (payment_session_id !== payment.payment_session_id || !isAtProvider) continue;
    const isSame = ({ external_id, ...finding }: ExceptionRow) =>
      namesOf(one).includes(external_id) || (external_id === sumName(payment) && finding.amount_minor === amount_minor);
    const at = left.findIndex(isSame);
    if (at === -1) sum += amount_minor;
    else left.splice(at, 1);
  }
  return sum;
}
