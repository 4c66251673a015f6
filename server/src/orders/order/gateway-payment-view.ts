import { type Ctx, isoOf } from "#platform/index.ts";
import { isDemo } from "../session/method-data.ts";
import type { GatewayPaymentBundle, GatewayPaymentRow, SessionRow } from "../shapes.ts";
import { sessionView } from "./views.ts";

/** The state of a payment in the API's terms; `requires_action`: the buyer can pay it now. */
function statusOf(
  { status }: SessionRow,
  hasAction: boolean,
): "pending" | "requires_action" | "processing" | "succeeded" | "failed" | "canceled" | "expired" {
  if (status === "pending") return hasAction ? "requires_action" : "pending";
  return status === "pending_verify" ? "processing" : status;
}

/** The provider's fee for a payment, in the reported currency. */
function feeOf({ fee_minor, fee_currency }: GatewayPaymentRow): { amount_minor: number; currency: string } | null {
  return fee_minor === null || fee_currency === null ? null : { amount_minor: fee_minor, currency: fee_currency };
}

/** A payment through a gateway as the API returns it. */
export function gatewayPaymentView(ctx: Pick<Ctx, "publicUrl" | "now">, { payment, session, order, link }: GatewayPaymentBundle) {
  const { next_action } = sessionView(ctx, session, link);
  return {
    id: payment.id,
    object: "gateway_payment" as const,
    project_id: payment.project_id,
    livemode: payment.livemode,
    gateway: payment.gateway,
    reference: order.reference,
    order_id: order.id,
    payment_session_id: session.id,
    account: payment.credential_id,
    demo: isDemo(session),
    status: statusOf(session, next_action !== null),
    amount_minor: session.amount_minor,
    currency: session.currency,
    next_action,
    gateway_transaction_id: payment.capture_id ?? payment.provider_id,
    gateway_payment_id: payment.provider_id,
    gateway_status: payment.provider_state,
    fee: feeOf(payment),
    paid_at: isoOf(payment.paid_at),
    failure_code: session.failure_code,
    failure_message: session.status === "failed" ? payment.failure_message : null,
    expires_at: isoOf(session.expires_at),
    created_at: isoOf(payment.created_at),
    updated_at: isoOf(payment.updated_at),
  };
}
