import {
  callbackUrl,
  callGateway,
  GatewayError,
  type NewGatewayRefund,
  type OpenAccount,
  openAccount,
  type RefundKey,
  type RefundSnapshot,
} from "#gateways/index.ts";
import type { Ctx } from "#platform/index.ts";
import { findGatewayPayment } from "../../rows/gateway-payments.sql.ts";
import { findRefundRow } from "../../rows/refunds.sql.ts";
import type { GatewayPaymentRow, GatewayRefundRow, RefundRow } from "../../shapes.ts";
import { applyRefund, failUnmade, heedDisputes, noteUnknown, type RefundWord } from "./apply-refund.ts";

/**
 * Failures after which the provider certainly has no such refund: it refused it or never got the request. If an earlier attempt of the call
 * may have made it, the call ends with an unknown outcome instead, and an earlier call's refund was looked for before.
 */
const refusals: readonly GatewayError["kind"][] = ["declined", "invalid", "auth", "not_found"];

/**
 * The provider responded that it doesn't accept the refund yet: it makes one at a time, or is overloaded. The refund waits for this many
 * seconds if it says how many.
 */
interface AskedToWait {
  retryAfter: number | null;
}

/**
 * The result of requesting a refund: `waiting` if the provider wasn't reached, `unknown` if its response was lost, `disputed` if it isn't
 * requested while a dispute of its payment is open.
 */
export type Sent = RefundWord | "waiting" | "unknown" | "disputed" | AskedToWait;

/**
 * Requests a refund from the provider under its reference and stores the response. `isAwaited`: a caller waits for the response and gets
 * it. Errors of the provider or the network aren't thrown.
 */
export async function sendRefund(ctx: Ctx, question: GatewayRefundRow, given: { isAwaited: boolean }): Promise<Sent> {
  const { refund, payment } = await partsOf(ctx, question);
  const disputed = await heedDisputes(ctx, question, { payment, ...given });
  if (disputed !== null) return disputed;
  let opened: OpenAccount | null = null;
  try {
    opened = await openAccount(ctx, question, question.credential_id);
    const wanted = wantedOf(ctx, { refund, payment, opened });
    const snapshot = await callGateway(ctx, { opened, verb: "refund", reference: refund.id }, (account, call) =>
      account.refund(call, wanted),
    );
    return await applyRefund(ctx, question, snapshot);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    if (error.kind === "unavailable") return "waiting";
    if (error.kind === "rate_limited") return error.isBusy || error.retryAfter !== null ? { retryAfter: error.retryAfter } : "waiting";
    const refused = { error, note: opened?.redact(error.message) ?? error.message, ...given };
    if (refusals.includes(error.kind)) return failUnmade(ctx, question, refused);
    if (error.kind === "conflict" && opened !== null) return lookUp(ctx, question, { opened, payment, refused });
    await noteUnknown(ctx, question);
    return "unknown";
  }
}

/** A refund contradicts something at the provider: either one under its reference, which counts then, or another fact that refuses it. */
async function lookUp(
  ctx: Ctx,
  question: GatewayRefundRow,
  given: { opened: OpenAccount; payment: GatewayPaymentRow; refused: Parameters<typeof failUnmade>[2] },
): Promise<Sent> {
  try {
    return await applyRefund(ctx, question, await askAbout(ctx, question, given));
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    if (error.kind === "not_found") return failUnmade(ctx, question, given.refused);
    await noteUnknown(ctx, question);
    return "unknown";
  }
}

function askAbout(
  ctx: Ctx,
  question: GatewayRefundRow,
  { opened, payment }: { opened: OpenAccount; payment: GatewayPaymentRow },
): Promise<RefundSnapshot> {
  const key: RefundKey = { ...keyOf(payment), refundReference: question.id, providerRefundId: question.provider_refund_id };
  return callGateway(ctx, { opened, verb: "query_refund", reference: question.id }, (account, call) => account.queryRefund(call, key));
}

/**
 * The provider's current state of a payment's refund, by the reference or the id that the provider has; null if it doesn't know it. Throws
 * GatewayError if it doesn't respond.
 */
export async function findAtProvider(
  ctx: Ctx,
  payment: GatewayPaymentRow,
  { refundReference, providerRefundId }: Pick<RefundSnapshot, "refundReference" | "providerRefundId">,
): Promise<RefundSnapshot | null> {
  const opened = await openAccount(ctx, payment, payment.credential_id);
  const key = { ...keyOf(payment), refundReference: refundReference ?? "", providerRefundId };
  const query = callGateway(ctx, { opened, verb: "query_refund", reference: refundReference }, (account, call) =>
    account.queryRefund(call, key),
  );
  return query.catch((error: unknown) => {
    if (error instanceof GatewayError && error.kind === "not_found") return null;
    throw error;
  });
}

/**
 * Asks the provider about a refund. One that was never confirmed is requested again, under the same reference, which never refunds the
 * buyer twice. Throws GatewayError if the provider doesn't respond.
 */
export async function pollRefund(ctx: Ctx, question: GatewayRefundRow): Promise<Sent> {
  const { payment } = await partsOf(ctx, question);
  const opened = await openAccount(ctx, question, question.credential_id);
  const snapshot = await askAbout(ctx, question, { opened, payment }).catch((error: unknown) => {
    if (error instanceof GatewayError && error.kind === "not_found" && question.told_at === null) return null;
    throw error;
  });
  return snapshot === null ? sendRefund(ctx, question, { isAwaited: false }) : applyRefund(ctx, question, snapshot);
}

async function partsOf(ctx: Ctx, question: GatewayRefundRow): Promise<{ refund: RefundRow; payment: GatewayPaymentRow }> {
  const refund = await findRefundRow(ctx.db, question, question.id);
  const payment = await findGatewayPayment(ctx.db, question, question.payment_session_id);
  if (refund === null || payment === null) throw new Error("the payment of a provider's refund vanished");
  return { refund, payment };
}

/** The payment's reference for its provider. */
function keyOf(payment: GatewayPaymentRow): { reference: string; providerId: string | null; captureId: string | null } {
  return { reference: payment.payment_session_id, providerId: payment.provider_id, captureId: payment.capture_id };
}

function wantedOf(ctx: Ctx, given: { refund: RefundRow; payment: GatewayPaymentRow; opened: OpenAccount }): NewGatewayRefund {
  const { refund, payment, opened } = given;
  const { amount_minor, currency } = refund;
  return {
    ...keyOf(payment),
    refundReference: refund.id,
    amount: { amount_minor, currency },
    total: { amount_minor: payment.paid_minor ?? amount_minor, currency: payment.paid_currency ?? currency },
    // Reasons are codes for the merchant, such as `fraudulent`: none is a line for the buyer. Notes stay here.
    reason: null,
    merchantReason: refund.reason,
    notifyUrl: callbackUrl(ctx, opened.credential),
  };
}
