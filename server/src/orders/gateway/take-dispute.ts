import { type CallbackEffect, type DisputeSnapshot, GatewayError, type StoredCallback } from "#gateways/index.ts";
import type { Ctx } from "#platform/index.ts";
import { applyDispute } from "../dispute/apply-dispute.ts";
import { countOpenPayments, findGatewayPayment, findGatewayPaymentAt, findGatewayPaymentOfCapture } from "../rows/gateway-payments.sql.ts";
import type { GatewayPaymentRow } from "../shapes.ts";
import { askPayment } from "./ask-payment.ts";
import { lostReference } from "./strange-money.ts";

/** A dispute waits so many tries for the word that its payment was paid; then it is written down without it. */
const patientTries = 3;

/**
 * Takes what a callback tells of a dispute. The payment comes first: one that isn't known to be paid is asked about. A dispute of a payment of ours that is not here is
 * a person's; those of other programs and projects that share the account are none of ours. Throws GatewayError for one that is to be tried again.
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
    await askPayment(ctx, payment).catch((error: unknown) => {
      if (!(error instanceof GatewayError) || attempts < patientTries) throw error;
    });
  }
  return applyDispute(ctx, { tenant, credentialId, gateway, payment, dispute });
}

const notKnownYet = new GatewayError("unavailable", { code: "payment_not_known", message: "A dispute names a payment that is not known to be paid yet." });

/** By our reference, by the provider's id, or by the money itself; only on the account where it was told. */
async function findDisputed(ctx: Ctx, callback: StoredCallback, { payment }: DisputeSnapshot): Promise<GatewayPaymentRow | null> {
  const { reference, providerId, captureId } = payment;
  const { credential_id: credentialId } = callback;
  const byReference = reference === null ? null : await findGatewayPayment(ctx.db, callback, reference);
  const byId = byReference !== null || providerId === null ? null : await findGatewayPaymentAt(ctx.db, callback, { credentialId, providerId });
  const found = byReference ?? byId ?? (captureId === null ? null : await findGatewayPaymentOfCapture(ctx.db, callback, { credentialId, captureId }));
  return found?.credential_id === credentialId ? found : null;
}

/** A provider that names the money alone may tell of a dispute before we heard of the payment's end. */
async function mayComeYet(ctx: Ctx, callback: StoredCallback, { payment }: DisputeSnapshot): Promise<boolean> {
  if (payment.reference !== null || payment.captureId === null) return false;
  return (await countOpenPayments(ctx.db, callback, callback.credential_id)) > 0;
}
