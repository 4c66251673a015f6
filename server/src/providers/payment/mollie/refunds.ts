import {
  type GatewayCall,
  GatewayError,
  malformedAnswer,
  type NewGatewayRefund,
  type RefundKey,
  type RefundSnapshot,
} from "#gateways/index.ts";
import { callMollie } from "./client.ts";
import { findPaymentId } from "./payments.ts";
import { metadataOf, readList, readResource, referenceKey, refundKey, refundOf, wireOf } from "./wire.ts";

const pageSize = 250;
const maxPages = 4;
/** For about how long Mollie takes another refund of the same amount of one payment for a duplicate, and refuses it. */
const duplicateSeconds = 3_600;

/**
 * Refunds a payment, or returns the refund that was made under this reference before. Mollie forgets an Idempotency-Key after an hour, so
 * the payment's refunds are checked first; the key covers two requests at once.
 */
export async function createRefund(call: GatewayCall, apiKey: string, refund: NewGatewayRefund): Promise<RefundSnapshot> {
  const amount = wireOf(refund.amount);
  const id = await findPaymentId(call, apiKey, refund);
  const earlier = await findByReference(call, apiKey, { id, refundReference: refund.refundReference });
  if (earlier !== null) return earlier;
  const metadata = { [referenceKey]: refund.reference, [refundKey]: refund.refundReference };
  // Mollie requires a description, and may show it to the buyer.
  const body = { amount, metadata, description: refund.reason ?? refund.reference };
  const request = { method: "POST", path: pathOf(id), body, once: refund.refundReference } as const;
  return snapshotOf(await callMollie(call, apiKey, request).catch(waitForDuplicate), true);
}

/** A refund that Mollie takes for a duplicate isn't refused for good: it is made once the other one is older. */
function waitForDuplicate(error: unknown): never {
  if (!(error instanceof GatewayError) || error.kind !== "conflict") throw error;
  const { code, message, requestId, retryAfter } = error;
  throw new GatewayError("rate_limited", { code, message, requestId, retryAfter: retryAfter ?? duplicateSeconds, isBusy: true });
}

/** Finds a refund by Mollie's id, or by ours among the refunds of its payment. */
export async function findRefund(call: GatewayCall, apiKey: string, key: RefundKey): Promise<RefundSnapshot> {
  const id = await findPaymentId(call, apiKey, key);
  if (key.providerRefundId !== null) {
    return snapshotOf(
      await callMollie(call, apiKey, { method: "GET", path: `${pathOf(id)}/${encodeURIComponent(key.providerRefundId)}` }),
      false,
    );
  }
  const found = await findByReference(call, apiKey, { id, refundReference: key.refundReference });
  if (found === null) throw new GatewayError("not_found", { code: "http_404", message: "Mollie has no refund with this reference." });
  return found;
}

function pathOf(paymentId: string): string {
  return `/v2/payments/${encodeURIComponent(paymentId)}/refunds`;
}

async function findByReference(
  call: GatewayCall,
  apiKey: string,
  given: { id: string; refundReference: string },
): Promise<RefundSnapshot | null> {
  let from = "";
  for (let page = 0; page < maxPages; page += 1) {
    const answer = await callMollie(call, apiKey, { method: "GET", path: `${pathOf(given.id)}?limit=${pageSize}${from}` });
    const list = readList(answer, { under: "refunds", resource: "refund" });
    if (list === null) throw malformedAnswer(false);
    const found = list.items.find((refund) => metadataOf(refund, refundKey) === given.refundReference);
    if (found !== undefined) return snapshotOf(found, false);
    if (list.next === null) return null;
    from = `&from=${encodeURIComponent(list.next)}`;
  }
  throw new GatewayError("unavailable", { code: "too_many_refunds", message: "This payment has too many refunds to search for this one." });
}

function snapshotOf(answer: Record<string, unknown>, changes: boolean): RefundSnapshot {
  const snapshot = readResource(answer, "refund") === null ? null : refundOf(answer);
  if (snapshot === null) throw malformedAnswer(changes);
  return snapshot;
}
