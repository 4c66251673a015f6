import {
  type CreatedPayment,
  type GatewayCall,
  GatewayError,
  malformedAnswer,
  type NewGatewayPayment,
  type PaymentKey,
  type PaymentSnapshot,
} from "#gateways/index.ts";
import { ask, type Credentials } from "./client.ts";
import { manifest } from "./manifest.ts";
import { amounts, buyersTurn, dateAt, finalRefusals, linkOf, snapshotOf } from "./wire.ts";

/**
 * Creates the order of a payment. Under one reference, PayPal creates one order within six hours, and only ever captures one, because the
 * reference is its invoice number.
 */
export async function createPayment(call: GatewayCall, credentials: Credentials, payment: NewGatewayPayment): Promise<CreatedPayment> {
  const order = await ask(call, credentials, {
    method: "POST",
    path: "/v2/checkout/orders",
    requestId: payment.reference,
    body: orderBody(payment),
  });
  const snapshot = snapshotOf(order);
  const url = linkOf(order, ["payer-action", "approve"]);
  if (snapshot.state !== "pending") {
    throw new GatewayError("already_paid", {
      code: snapshot.providerState,
      message: "The buyer has already completed this payment at PayPal.",
    });
  }
  if (url === null || !/^https?:\/\//.test(url) || !URL.canParse(url)) throw malformedAnswer(true);
  const created = dateAt(order, "create_time") ?? call.now();
  const ends = new Date(created.getTime() + manifest.lifetime.maxSeconds * 1_000);
  return { ...snapshot, action: { type: "redirect", url }, actionExpiresAt: ends < payment.expiresAt ? ends : null };
}

function orderBody({ reference, amount, title, returnUrl, cancelUrl, buyer }: NewGatewayPayment): unknown {
  return {
    intent: "CAPTURE",
    purchase_units: [
      {
        custom_id: reference,
        invoice_id: reference,
        description: title,
        amount: { currency_code: amount.currency, value: amounts.decimal(amount) },
      },
    ],
    payment_source: {
      paypal: {
        experience_context: {
          user_action: "PAY_NOW",
          shipping_preference: "NO_SHIPPING",
          payment_method_preference: "IMMEDIATE_PAYMENT_REQUIRED",
          return_url: returnUrl,
          cancel_url: cancelUrl,
          // PayPal requires a country with the language; without a locale it uses the buyer's account.
          ...(/^[a-z]{2}-[A-Z]{2}$/.test(buyer.locale) ? { locale: buyer.locale } : {}),
        },
      },
    },
  };
}

/** Queries a payment at PayPal. An order is found only by PayPal's id. */
export async function queryPayment(call: GatewayCall, credentials: Credentials, { providerId }: PaymentKey): Promise<PaymentSnapshot> {
  if (providerId === null) {
    // No buyer was sent to an order whose id we never received, and only we can capture one: it has no money.
    throw new GatewayError("not_found", { code: "no_order_id", message: "PayPal never returned an order for this payment." });
  }
  return snapshotOf(await ask(call, credentials, { method: "GET", path: pathOf(providerId) }));
}

/** Captures what the buyer approved. An order is captured once, however often this is requested. */
export async function capturePayment(call: GatewayCall, credentials: Credentials, key: PaymentKey): Promise<PaymentSnapshot> {
  if (key.providerId === null) return queryPayment(call, credentials, key);
  try {
    // Without a request id: with one, PayPal would repeat the refusal of an earlier try even after the buyer chose another card.
    return snapshotOf(await ask(call, credentials, { method: "POST", path: `${pathOf(key.providerId)}/capture`, body: {} }));
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const failure = { code: error.code, message: error.message };
    if (requeryCodes.has(error.code)) return queryPayment(call, credentials, key);
    if (buyersTurn.has(error.code)) return { ...(await queryPayment(call, credentials, key)), state: "pending", failure };
    if (finalRefusals.has(error.code)) return { ...(await queryPayment(call, credentials, key)), state: "failed", failure };
    throw error;
  }
}

/** Errors that report the order's state, not a failure. */
const requeryCodes: ReadonlySet<string> = new Set(["ORDER_ALREADY_CAPTURED", "ORDER_COMPLETION_IN_PROGRESS", "ORDER_NOT_APPROVED"]);

const pathOf = (orderId: string) => `/v2/checkout/orders/${encodeURIComponent(orderId)}`;
