import {
  type GatewayCall,
  GatewayError,
  listAt,
  type NewGatewayRefund,
  type RefundKey,
  type RefundSnapshot,
  textAt,
} from "#gateways/index.ts";
import { ask, type Credentials } from "./client.ts";
import { amounts, refundOf } from "./wire.ts";

/** Refunds a capture. PayPal refunds once per refund reference: for 45 days by the request's id, and after that by the invoice number. */
export async function refundPayment(call: GatewayCall, credentials: Credentials, refund: NewGatewayRefund): Promise<RefundSnapshot> {
  const captureId = refund.captureId ?? (await findCapture(call, credentials, refund.providerId));
  const { refundReference, reference, amount, reason } = refund;
  try {
    const made = await ask(call, credentials, {
      method: "POST",
      path: `/v2/payments/captures/${encodeURIComponent(captureId)}/refund`,
      requestId: refundReference,
      body: {
        amount: { currency_code: amount.currency, value: amounts.decimal(amount) },
        invoice_id: refundReference,
        custom_id: reference,
        ...(reason === null ? {} : { note_to_payer: reason }),
      },
    });
    return { ...refundOf(made, true), refundReference };
  } catch (error) {
    if (!(error instanceof GatewayError) || error.code !== "DUPLICATE_INVOICE_ID") throw error;
    return queryRefund(call, credentials, { ...refund, captureId, providerRefundId: null });
  }
}

/** Queries a refund at PayPal: by its id, or among the refunds of its order. */
export async function queryRefund(call: GatewayCall, credentials: Credentials, key: RefundKey): Promise<RefundSnapshot> {
  const { refundReference, providerRefundId } = key;
  if (providerRefundId !== null) {
    const refund = await findRefund(call, credentials, providerRefundId);
    return refundReference === "" ? refund : { ...refund, refundReference };
  }
  const orderId = key.providerId ?? (await findOrderId(call, credentials, key.captureId));
  const order = await findOrder(call, credentials, orderId);
  const found = listAt(order, "purchase_units", 0, "payments", "refunds").find(
    (refund) => textAt(refund, "invoice_id") === refundReference,
  );
  if (found === undefined) throw notFound("The order has no refund of this reference.");
  return refundOf(found);
}

/** Returns a refund by PayPal's id. */
export async function findRefund(call: GatewayCall, credentials: Credentials, id: string): Promise<RefundSnapshot> {
  return refundOf(await ask(call, credentials, { method: "GET", path: `/v2/payments/refunds/${encodeURIComponent(id)}` }));
}

async function findCapture(call: GatewayCall, credentials: Credentials, orderId: string | null): Promise<string> {
  const order = orderId === null ? null : await findOrder(call, credentials, orderId);
  const captureId = textAt(order, "purchase_units", 0, "payments", "captures", 0, "id");
  if (captureId === null) throw new GatewayError("invalid", { code: "no_capture", message: "There is no captured money to refund." });
  return captureId;
}

async function findOrderId(call: GatewayCall, credentials: Credentials, captureId: string | null): Promise<string> {
  // Without either id a refund can't have been requested.
  if (captureId === null) throw notFound("Neither an order nor a capture of this payment is known.");
  const capture = await ask(call, credentials, { method: "GET", path: `/v2/payments/captures/${encodeURIComponent(captureId)}` });
  const orderId = textAt(capture, "supplementary_data", "related_ids", "order_id");
  if (orderId === null)
    throw new GatewayError("unavailable", { code: "no_order_id", message: "PayPal doesn't report the order of this capture." });
  return orderId;
}

const findOrder = (call: GatewayCall, credentials: Credentials, orderId: string) =>
  ask(call, credentials, { method: "GET", path: `/v2/checkout/orders/${encodeURIComponent(orderId)}` });

const notFound = (message: string) => new GatewayError("not_found", { code: "no_such_refund", message });
