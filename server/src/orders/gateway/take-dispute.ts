import { type CallbackEffect, type DisputeSnapshot, GatewayError, type StoredCallback } from "#gateways/index.ts";
import type { Ctx } from "#platform/index.ts";
import { applyDispute } from "../dispute/apply-dispute.ts";
import { findGatewayPaymentAt, findGatewayPaymentOfCapture } from "../rows/find-gateway-payments.sql.ts";
import { countOpenPayments, findGatewayPayment } from "../rows/gateway-payments.sql.ts";
import type { GatewayPaymentRow } from "../shapes.ts";
import { pollPayment } from "./poll-payment.ts";
import { lostReference } from "./strange-money.ts";

/** A dispute waits this many attempts for the report that its payment was paid; then it is stored without it. */
const patientTries = 3;

/**
 * Processes a dispute in a callback. The payment comes first: if it isn't known to be paid, the provider is asked. A dispute of one of our
 * payments that isn't here needs a person; those of other programs and projects that share the account aren't ours. Throws GatewayError for
 * one to retry.
 */
export async function takeDispute(ctx: Ctx, callback: StoredCallback, dispute: DisputeSnapshot): Promise<CallbackEffect> {
  const { project_id, livemode, gateway, credential_id: credentialId, attempts } = callback;
  const tenant = { project_id, livemode };
  const payment = await findDisputed(ctx, callback, dispute);
  if (payment === null) {
    const isOwn = (await lostReference(ctx, tenant, dispute.payment.reference)) !== null;
    if (!isOwn && attempts < patientTries && (await mayComeYet(ctx, callback, dispute))) throw notKnownYet;
    return isOwn ? applyDispute(ctx, { tenant, credentialId, gateway, payment: null, dispute }) : "not_ours";
  }
  if (payment.settled_id === null) {
    await pollPayment(ctx, payment).catch((error: unknown) => {
      if (!(error instanceof GatewayError) || attempts < patientTries) throw error;
    });
  }
  return applyDispute(ctx, { tenant, credentialId, gateway, payment, dispute });
}

const notKnownYet = new GatewayError("unavailable", {
  code: "payment_not_known",
  message: "A dispute is about a payment that isn't known to be paid yet.",
});

/** By our reference, by the provider's id, or by the money itself; only on the account that reported it. */
async function findDisputed(ctx: Ctx, callback: StoredCallback, { payment }: DisputeSnapshot): Promise<GatewayPaymentRow | null> {
  const { reference, providerId, captureId } = payment;
  const { credential_id: credentialId } = callback;
  const byReference = reference === null ? null : await findGatewayPayment(ctx.db, callback, reference);
  const byId =
    byReference !== null || providerId === null ? null : await findGatewayPaymentAt(ctx.db, callback, { credentialId, providerId });
  const found =
    byReference ?? byId ?? (captureId === null ? null : await findGatewayPaymentOfCapture(ctx.db, callback, { credentialId, captureId }));
  return found?.credential_id === credentialId ? found : null;
}

/** A provider that only identifies the money may report a dispute before we know that the payment ended. */
async function mayComeYet(ctx: Ctx, callback: StoredCallback, { payment }: DisputeSnapshot): Promise<boolean> {
  if (payment.reference !== null || payment.captureId === null) return false;
  return (await countOpenPayments(ctx.db, callback, callback.credential_id)) > 0;
}
