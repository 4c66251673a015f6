import type { Stripe } from "stripe";
import { type CreatedPayment, type GatewayCall, GatewayError, malformedAnswer, type NewGatewayPayment } from "#gateways/index.ts";
import { stripeAmounts } from "./amounts.ts";
import { callStripe, otherParameters, replayedFailure } from "./client.ts";
import type { StripeCredentials } from "./credentials.ts";
import { manifest } from "./manifest.ts";
import { paymentOf, readObjectOf, referenceKey, textOf, timeOf } from "./wire.ts";

type Params = Stripe.Checkout.SessionCreateParams;

/** What clock differences and latency to Stripe may take off a lifetime, in seconds. */
const marginSeconds = 60;

/** The languages of Stripe's page; other buyers get their browser's. */
const locales = new Set(
  "bg cs da de el en en-GB es es-419 et fi fil fr fr-CA hr hu id it ja ko lt lv ms mt nb nl pl pt pt-BR ro ru sk sl sv th tr vi zh zh-HK zh-TW".split(
    " ",
  ),
);

/**
 * Creates a Checkout Session, or returns the one that was created under this reference before.
 *
 * Stripe repeats its stored response for an Idempotency-Key if every parameter is the same. Only the session's end depends on the time of
 * the request, so a repeat that Stripe considers a different request is retried with the other ends. If Stripe stored a failure of its own,
 * a second key creates a second session: the first, if there is one, was never shown to a buyer.
 */
export async function createSession(
  call: GatewayCall,
  credentials: StripeCredentials,
  payment: NewGatewayPayment,
): Promise<CreatedPayment> {
  try {
    return await createUnderKey(call, credentials, { payment, idempotencyKey: payment.reference });
  } catch (error) {
    if (!(error instanceof GatewayError) || error.code !== replayedFailure) throw error;
    return createUnderKey(call, credentials, { payment, idempotencyKey: `${payment.reference}_2` });
  }
}

async function createUnderKey(
  call: GatewayCall,
  { secretKey }: StripeCredentials,
  { payment, idempotencyKey }: { payment: NewGatewayPayment; idempotencyKey: string },
): Promise<CreatedPayment> {
  const params = paramsOf(payment);
  let conflict: unknown = null;
  for (const end of endsOf(payment.expiresAt, call.now())) {
    try {
      const ask = (stripe: Stripe) => stripe.checkout.sessions.create({ ...params, ...end }, { idempotencyKey });
      return createdOf(await callStripe(call, secretKey, { changes: true, ask }), payment);
    } catch (error) {
      if (!(error instanceof GatewayError) || error.code !== otherParameters) throw error;
      conflict = error;
    }
  }
  throw conflict;
}

function paramsOf({ reference, amount, title, returnUrl, cancelUrl, buyer, metadata }: NewGatewayPayment): Params {
  const ours = { ...metadata, [referenceKey]: reference };
  const unit_amount = stripeAmounts.minor(amount);
  return {
    mode: "payment",
    client_reference_id: reference,
    line_items: [{ quantity: 1, price_data: { currency: amount.currency.toLowerCase(), unit_amount, product_data: { name: title } } }],
    success_url: returnUrl,
    cancel_url: cancelUrl,
    locale: localeOf(buyer.locale),
    // The amount paid must be the requested amount, in the requested currency.
    adaptive_pricing: { enabled: false },
    metadata: ours,
    payment_intent_data: { description: title, metadata: ours },
  };
}

/**
 * The ends that this payment may have been given, the one that fits now first: its own; its own plus the shortest lifetime, for a payment
 * that ends sooner than Stripe allows; and Stripe's 24 hours for one that ends later. We close the session at the payment's own end.
 */
function endsOf(expiresAt: Date, now: Date): Pick<Params, "expires_at">[] {
  const { minSeconds, maxSeconds } = manifest.lifetime;
  const end = Math.floor(expiresAt.getTime() / 1_000);
  const own = { expires_at: end };
  const longer = { expires_at: end + minSeconds + marginSeconds };
  const lifetime = end - Math.floor(now.getTime() / 1_000);
  if (lifetime > maxSeconds - marginSeconds) return [{}, own];
  return lifetime < minSeconds + marginSeconds ? [longer, own] : [own, longer, {}];
}

function localeOf(tag: string): NonNullable<Params["locale"]> {
  const [language = "", ...rest] = tag.split("-");
  const region = /-hant$/i.test(tag) ? "TW" : rest.at(-1);
  const exact = region === undefined ? language : `${language}-${region.toUpperCase()}`;
  if (locales.has(exact)) return exact as NonNullable<Params["locale"]>;
  return locales.has(language) ? (language as NonNullable<Params["locale"]>) : "auto";
}

function createdOf(answer: unknown, payment: NewGatewayPayment): CreatedPayment {
  const session = readObjectOf(answer, "checkout.session");
  const snapshot = session === null ? null : paymentOf(session);
  const url = textOf(session?.["url"]);
  if (snapshot === null || url === null || !/^https?:\/\//.test(url)) throw malformedAnswer(true);
  const endsAt = timeOf(session?.["expires_at"]);
  const isEarlier = endsAt !== null && endsAt.getTime() < Math.floor(payment.expiresAt.getTime() / 1_000) * 1_000;
  return { ...snapshot, action: { type: "redirect", url }, actionExpiresAt: isEarlier ? endsAt : null };
}
