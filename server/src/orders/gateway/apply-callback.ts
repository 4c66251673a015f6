import {
  type CallbackEffect,
  type OpenAccount,
  openAccount,
  type PaymentKey,
  type PaymentSnapshot,
  type StoredCallback,
  updateCallbackApplied,
  updateCallbacksPostponed,
} from "#gateways/index.ts";
import type { Ctx } from "#platform/index.ts";
import { pollResult } from "../polling/calendar.ts";
import { applyReportedRefund } from "../refund/provider/apply-reported.ts";
import { findGatewayPayment } from "../rows/gateway-payments.sql.ts";
import type { GatewayPaymentRow } from "../shapes.ts";
import { accountName, pollPayment, settleFirst } from "./poll-payment.ts";
import { findByCapture, findReported } from "./reported/find-reported.ts";
import { feeWaitMs, isAboutFee } from "./reported/finish-callbacks.ts";
import { takeStrangeMoney } from "./reported/strange-money.ts";
import { settleReported } from "./settle-reported.ts";
import { takeDispute } from "./take-dispute.ts";

/**
 * Applies a provider's callback and stores the result. `opened`: the callback's account, if it is open already. Throws GatewayError if the
 * provider had to be asked and didn't respond.
 */
export async function applyCallback(ctx: Ctx, callback: StoredCallback, opened?: OpenAccount): Promise<CallbackEffect> {
  const outcome = await apply(ctx, callback, opened);
  if (outcome === "settled") return "applied";
  if (outcome !== "applied")
    ctx.log.info({ callback: callback.id, gateway: callback.gateway, event: callback.event, outcome }, "a callback changed nothing");
  await ctx.transactUnclaimed((tx) => updateCallbackApplied(tx, callback, outcome));
  return outcome;
}

/** `settled`: its money was settled, or is, and the rest of the callback is recorded too. */
async function apply(ctx: Ctx, callback: StoredCallback, opened: OpenAccount | undefined): Promise<CallbackEffect | "settled"> {
  const { told: report } = callback;
  if (report.kind === "refund") {
    const refunded = await findRefunded(ctx, callback, report.payment);
    const payment = refunded === null ? null : await settleFirst(ctx, callback, refunded);
    return applyReportedRefund(ctx, { callback, payment, refund: report.refund });
  }
  if (report.kind === "dispute") return takeDispute(ctx, callback, report.dispute);
  if (report.kind !== "payment" && report.kind !== "ask") return "nothing";
  const about = report.kind === "payment" ? report.payment : report.about;
  const payment = await findReported(ctx, callback, about);
  if (payment === null) return takeStrangeMoney(ctx, callback, about);
  if (isAboutFee(callback, payment)) return takeFee(ctx, callback, payment);
  if (report.kind === "payment" && (await takeReport(ctx, { callback, payment, snapshot: report.payment, opened }))) return "settled";
  await pollPayment(ctx, payment, about.providerId);
  return "applied";
}

/** The payment that was refunded. */
function findRefunded(ctx: Ctx, callback: StoredCallback, named: PaymentKey | { captureId: string }): Promise<GatewayPaymentRow | null> {
  return "captureId" in named ? findByCapture(ctx, callback, named.captureId) : findReported(ctx, callback, named);
}

/** A callback is only trusted if it states exactly the requested amount, on the right account; otherwise the provider is asked. */
async function takeReport(
  ctx: Ctx,
  given: { callback: StoredCallback; payment: GatewayPaymentRow; snapshot: PaymentSnapshot; opened: OpenAccount | undefined },
): Promise<boolean> {
  const { callback, payment, snapshot, opened } = given;
  if (payment.credential_id !== callback.credential_id || snapshot.reference !== payment.payment_session_id) return false;
  // Disputes are written down after their payment, and the callback is done with it.
  if ((snapshot.disputes ?? []).length > 0) return false;
  if (snapshot.state !== "succeeded") return false;
  const account = accountName(opened ?? (await openAccount(ctx, payment, payment.credential_id)));
  return settleReported(ctx, { callback, payment, account, snapshot });
}

/** The provider is asked about a booked payment's fee, but not at the moment at which the payment was reported: it may not know it yet. */
async function takeFee(ctx: Ctx, callback: StoredCallback, payment: GatewayPaymentRow): Promise<"applied" | "settled"> {
  // A provider that doesn't respond is asked again like one that doesn't know the fee: neither keeps the money from being booked.
  if (callback.attempts > 0) await pollResult(() => pollPayment(ctx, payment));
  const after = await findGatewayPayment(ctx.db, payment, payment.payment_session_id);
  const wait_ms = after === null ? null : feeWaitMs(callback, after);
  if (wait_ms === null) return "applied";
  await ctx.transactUnclaimed((tx) => updateCallbacksPostponed(tx, [{ ...callback, wait_ms }]));
  return "settled";
}
