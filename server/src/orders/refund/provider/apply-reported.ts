import { type CallbackEffect, isSameAccount, type RefundSnapshot, type StoredCallback } from "#gateways/index.ts";
import type { Ctx } from "#platform/index.ts";
import { findGatewayRefund, findGatewayRefundAt } from "../../rows/gateway-refunds.sql.ts";
import type { GatewayPaymentRow, GatewayRefundRow } from "../../shapes.ts";
import { applyRefund } from "./apply-refund.ts";
import { findAtProvider } from "./poll-refund.ts";
import { recordStranger } from "./record-stranger.ts";

interface ReportedRefund {
  callback: StoredCallback;
  /** The payment in the callback; null if this installation has none. */
  payment: GatewayPaymentRow | null;
  refund: RefundSnapshot;
}

/**
 * Applies a callback about a refund. For our refunds, consistent callbacks are trusted; for anything else the provider is asked, also if
 * another entry of the payment's account was told, and a refund that someone made there is recorded. Throws GatewayError if the provider
 * doesn't respond.
 */
export async function applyReportedRefund(ctx: Ctx, { callback, payment, refund }: ReportedRefund): Promise<CallbackEffect> {
  if (payment === null) return "not_ours";
  if ((await isSameAccount(ctx.db, payment, [callback.credential_id, payment.credential_id])) !== true) return "not_ours";
  const isOwn = payment.credential_id === callback.credential_id;
  const known = await findKnown(ctx, payment, refund);
  if (isOwn && known !== null && (await applyRefund(ctx, known, refund)) !== "odd") return "applied";
  const polled = await findAtProvider(ctx, payment, refund);
  if (polled === null) return "nothing";
  if (known !== null && (await applyRefund(ctx, known, polled)) !== "odd") return "applied";
  return polled.state === "succeeded" ? recordStranger(ctx, { payment, refund: polled }) : "nothing";
}

/** By our reference, or by the provider's id. */
async function findKnown(ctx: Ctx, payment: GatewayPaymentRow, refund: RefundSnapshot): Promise<GatewayRefundRow | null> {
  const { refundReference, providerRefundId } = refund;
  const { credential_id: credentialId } = payment;
  const byReference = refundReference === null ? null : await findGatewayRefund(ctx.db, payment, refundReference);
  const found =
    byReference ?? (providerRefundId === null ? null : await findGatewayRefundAt(ctx.db, payment, { credentialId, providerRefundId }));
  return found?.payment_session_id === payment.payment_session_id && found.credential_id === credentialId ? found : null;
}
