import {
  type CallbackEffect,
  type DisputeSnapshot,
  GatewayError,
  isSameAccount,
  listEntriesOfAccount,
  type StoredCallback,
} from "#gateways/index.ts";
import type { Ctx } from "#platform/index.ts";
import { applyDispute } from "../dispute/apply-dispute.ts";
import { countOpenPayments, findGatewayPayment } from "../rows/gateway-payments.sql.ts";
import type { GatewayPaymentRow } from "../shapes.ts";
import { patientTries, settleFirst } from "./poll-payment.ts";
import { findByCapture, findByProviderId } from "./reported/find-reported.ts";
import { lostReference } from "./reported/strange-money.ts";

/**
 * Processes a dispute in a callback. The payment comes first: if it isn't known to be paid, the provider is asked. A dispute of one of our
 * payments that isn't here, or that went to another account, needs a person; those of other programs and projects that share the account
 * aren't ours. Throws GatewayError for one to retry.
 */
export async function takeDispute(ctx: Ctx, callback: StoredCallback, dispute: DisputeSnapshot): Promise<CallbackEffect> {
  const { project_id, livemode, gateway, attempts } = callback;
  const { payment, isElsewhere } = await findDisputed(ctx, callback, dispute);
  // It may be the same account, whose own entry is told too.
  if (isElsewhere === null) return "not_ours";
  const about = { tenant: { project_id, livemode }, gateway, dispute };
  if (payment === null) {
    const isOwn = isElsewhere || (await lostReference(ctx, dispute.payment.reference)) !== null;
    if (!isOwn && attempts < patientTries && (await mayComeYet(ctx, callback, dispute))) throw notKnownYet;
    return isOwn ? applyDispute(ctx, { ...about, credentialId: callback.credential_id, payment: null }) : "not_ours";
  }
  // Every entry of the account is told: it is one dispute, of the entry that the payment was requested on.
  const { credential_id: credentialId } = payment;
  return applyDispute(ctx, { ...about, credentialId, payment: await settleFirst(ctx, callback, payment) });
}

const notKnownYet = new GatewayError("unavailable", {
  code: "payment_not_known",
  message: "A dispute is about a payment that isn't known to be paid yet.",
});

interface Disputed {
  payment: GatewayPaymentRow | null;
  /** Whether it went to another account than the one that reports the dispute; null if that isn't known. */
  isElsewhere: boolean | null;
}

/** By our reference, by the provider's id, or by the money itself; only on the account that reported it. */
async function findDisputed(ctx: Ctx, callback: StoredCallback, { payment }: DisputeSnapshot): Promise<Disputed> {
  const { reference, providerId, captureId } = payment;
  const named = reference === null ? null : await findGatewayPayment(ctx.db, callback, reference);
  if (named !== null) {
    const isSame = await isSameAccount(ctx.db, callback, [callback.credential_id, named.credential_id]);
    return { payment: isSame === true ? named : null, isElsewhere: isSame === null ? null : !isSame };
  }
  const byId = providerId === null ? null : await findByProviderId(ctx, callback, providerId);
  const found = byId ?? (captureId === null ? null : await findByCapture(ctx, callback, captureId));
  return { payment: found, isElsewhere: false };
}

/** A provider that only identifies the money may report a dispute before we know that the payment ended. */
async function mayComeYet(ctx: Ctx, callback: StoredCallback, { payment }: DisputeSnapshot): Promise<boolean> {
  if (payment.reference !== null || payment.captureId === null) return false;
  const entries = await listEntriesOfAccount(ctx.db, callback, callback.credential_id);
  return (await countOpenPayments(ctx.db, callback, entries)) > 0;
}
