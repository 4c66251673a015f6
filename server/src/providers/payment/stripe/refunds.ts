import {
  type GatewayCall,
  GatewayError,
  malformedAnswer,
  type NewGatewayRefund,
  type PaymentKey,
  type RefundKey,
  type RefundSnapshot,
} from "#gateways/index.ts";
import { stripeAmounts } from "./amounts.ts";
import { callStripe } from "./client.ts";
import type { StripeCredentials } from "./credentials.ts";
import { findSessionId, readSession } from "./find-session.ts";
import { idOf, metadataOf, readList, readObjectOf, referenceKey, refundKey, refundOf } from "./wire.ts";

const pageSize = 100;
const maxPages = 10;

/**
 * Refunds a payment, or returns the refund that was made under this reference before. Stripe forgets an Idempotency-Key after a day, so the
 * payment's refunds are checked first; the key covers two requests at once.
 */
export async function createRefund(call: GatewayCall, credentials: StripeCredentials, refund: NewGatewayRefund): Promise<RefundSnapshot> {
  const amount = stripeAmounts.minor(refund.amount);
  const intent = await findIntent(call, credentials, refund);
  const earlier = await findByReference(call, credentials, { intent, refundReference: refund.refundReference });
  if (earlier !== null) return earlier;
  // Only the merchant sees it. Stripe's own field has consequences: `fraudulent` blocks the buyer's card.
  const reason: Record<string, string> = refund.merchantReason == null ? {} : { reason: refund.merchantReason };
  const metadata = { ...reason, [referenceKey]: refund.reference, [refundKey]: refund.refundReference };
  const answer = await callStripe(call, credentials.secretKey, {
    changes: true,
    ask: (stripe) => stripe.refunds.create({ payment_intent: intent, amount, metadata }, { idempotencyKey: refund.refundReference }),
  });
  return snapshotOf(answer, true);
}

/** Finds a refund by Stripe's id, or by ours among the refunds of its payment. */
export async function findRefund(call: GatewayCall, credentials: StripeCredentials, key: RefundKey): Promise<RefundSnapshot> {
  const { providerRefundId, refundReference } = key;
  if (providerRefundId !== null) {
    const answer = await callStripe(call, credentials.secretKey, {
      changes: false,
      ask: (stripe) => stripe.refunds.retrieve(providerRefundId),
    });
    return snapshotOf(answer, false);
  }
  const intent = await findIntent(call, credentials, key);
  const found = await findByReference(call, credentials, { intent, refundReference });
  if (found === null)
    throw new GatewayError("not_found", { code: "resource_missing", message: "Stripe has no refund with this reference." });
  return found;
}

async function findIntent(
  call: GatewayCall,
  credentials: StripeCredentials,
  key: PaymentKey & { captureId: string | null },
): Promise<string> {
  if (key.captureId !== null) return key.captureId;
  const session = await readSession(call, credentials, await findSessionId(call, credentials, key));
  const intent = idOf(session["payment_intent"]);
  if (intent === null)
    throw new GatewayError("not_found", { code: "payment_intent_missing", message: "Nothing was paid in this Checkout Session." });
  return intent;
}

async function findByReference(
  call: GatewayCall,
  { secretKey }: StripeCredentials,
  { intent, refundReference }: { intent: string; refundReference: string },
): Promise<RefundSnapshot | null> {
  let after: string | null = null;
  for (let page = 0; page < maxPages; page += 1) {
    const from: { starting_after?: string } = after === null ? {} : { starting_after: after };
    const answer = await callStripe(call, secretKey, {
      changes: false,
      ask: (stripe) => stripe.refunds.list({ payment_intent: intent, limit: pageSize, ...from }),
    });
    const list = readList(answer, "refund");
    if (list === null) throw malformedAnswer(false);
    const found = list.data.find((refund) => metadataOf(refund, refundKey) === refundReference);
    if (found !== undefined) return snapshotOf(found, false);
    after = list.after;
    if (after === null) return null;
  }
  throw new GatewayError("unavailable", { code: "too_many_refunds", message: "This payment has too many refunds to search for this one." });
}

function snapshotOf(answer: unknown, changes: boolean): RefundSnapshot {
  const refund = readObjectOf(answer, "refund");
  const snapshot = refund === null ? null : refundOf(refund);
  if (snapshot === null) throw malformedAnswer(changes);
  return snapshot;
}
