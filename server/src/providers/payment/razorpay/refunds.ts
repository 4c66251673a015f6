import {
  type GatewayCall,
  GatewayError,
  type NewGatewayRefund,
  type PaymentKey,
  type RefundKey,
  type RefundSnapshot,
} from "#gateways/index.ts";
import { ask, askForItems, type Credentials } from "./client.ts";
import { queryPayment } from "./payments.ts";
import { amounts, notes, refundOf } from "./wire.ts";

/** The most that Razorpay lists at once. */
const pageSize = 100;
const maxPages = 10;

/** Refunds a payment. Razorpay refunds once per refund reference. */
export async function refundPayment(call: GatewayCall, credentials: Credentials, refund: NewGatewayRefund): Promise<RefundSnapshot> {
  const { refundReference, reference, amount, merchantReason: reason = null } = refund;
  const paymentId = await findPaymentId(call, credentials, refund);
  if (paymentId === null) throw new GatewayError("invalid", { code: "no_payment", message: "There is no paid money to refund." });
  const made = await ask(call, credentials, {
    method: "POST",
    path: `/payments/${encodeURIComponent(paymentId)}/refund`,
    headers: { "x-refund-idempotency": refundReference },
    body: {
      amount: amounts.minor(amount),
      receipt: refundReference,
      notes: { [notes.reference]: reference, [notes.refundReference]: refundReference, ...(reason === null ? {} : { reason }) },
    },
  });
  return { ...refundOf(made, true), refundReference };
}

/** Queries a refund at Razorpay: by its id, or among the refunds of its payment. */
export async function queryRefund(call: GatewayCall, credentials: Credentials, key: RefundKey): Promise<RefundSnapshot> {
  const { refundReference, providerRefundId } = key;
  if (providerRefundId !== null) {
    const refund = refundOf(await ask(call, credentials, { method: "GET", path: `/refunds/${encodeURIComponent(providerRefundId)}` }));
    return refundReference === "" ? refund : { ...refund, refundReference };
  }
  const paymentId = await findPaymentId(call, credentials, key);
  const found = paymentId === null ? null : await findByReference(call, credentials, { paymentId, refundReference });
  if (found === null)
    throw new GatewayError("not_found", { code: "no_such_refund", message: "The payment has no refund with this reference." });
  return found;
}

async function findByReference(
  call: GatewayCall,
  credentials: Credentials,
  { paymentId, refundReference }: { paymentId: string; refundReference: string },
): Promise<RefundSnapshot | null> {
  for (let page = 0; page < maxPages; page += 1) {
    const path = `/payments/${encodeURIComponent(paymentId)}/refunds?count=${pageSize}&skip=${page * pageSize}`;
    const items = await askForItems(call, credentials, path);
    const found = items.map((refund) => refundOf(refund)).find((refund) => refund.refundReference === refundReference);
    if (found !== undefined) return found;
    if (items.length < pageSize) return null;
  }
  throw new GatewayError("unavailable", { code: "too_many_refunds", message: "This payment has too many refunds to search for this one." });
}

async function findPaymentId(
  call: GatewayCall,
  credentials: Credentials,
  key: PaymentKey & { captureId: string | null },
): Promise<string | null> {
  return key.captureId ?? (await queryPayment(call, credentials, key)).captureId;
}
