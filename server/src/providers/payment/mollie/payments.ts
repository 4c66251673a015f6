import {
  type CreatedPayment,
  type GatewayCall,
  GatewayError,
  malformedAnswer,
  type NewGatewayPayment,
  type PaymentKey,
  type PaymentSnapshot,
} from "#gateways/index.ts";
import { isLoopbackUrl } from "#platform/index.ts";
import { callMollie } from "./client.ts";
import { linkOf, metadataOf, paymentOf, readList, readResource, referenceKey, textOf, timeOf, wireOf } from "./wire.ts";

const pageSize = 250;
const maxPages = 20;
/** A payment whose id never reached us was never shown to a buyer. After this many seconds we stop looking for it. */
const listedSeconds = 86_400;

/** The languages of Mollie's page, each language's usual locale first. */
const locales =
  "en_US en_GB nl_NL nl_BE de_DE de_AT de_CH fr_FR fr_BE es_ES ca_ES pt_PT it_IT nb_NO sv_SE fi_FI da_DK is_IS hu_HU pl_PL lv_LV lt_LT cs_CZ sk_SK".split(
    " ",
  );

/**
 * Creates a payment, or returns the one that was created under this reference. Mollie forgets an Idempotency-Key after an hour, so if there
 * may be one it is looked for first; the key covers two requests at once.
 */
export async function createPayment(call: GatewayCall, apiKey: string, wanted: NewGatewayPayment): Promise<CreatedPayment> {
  const { reference, earlier } = wanted;
  const known = earlier === undefined ? null : await findEarlier(call, apiKey, { ...earlier, reference });
  if (known !== null) return createdOf(known, { wanted, changes: false });
  return createdOf(await requestPayment(call, apiKey, wanted), { wanted, changes: true });
}

/** A payment that was requested before and is still open; null if there is none. Throws `already_paid`, and `conflict` if it ended. */
async function findEarlier(call: GatewayCall, apiKey: string, key: PaymentKey): Promise<Record<string, unknown> | null> {
  const payment = await findPaymentId(call, apiKey, key)
    .then((id) => callMollie(call, apiKey, { method: "GET", path: `/v2/payments/${encodeURIComponent(id)}` }))
    .catch(unlessUnknown);
  const state = payment === null ? null : paymentOf(payment)?.state;
  if (state === "processing" || state === "succeeded")
    throw new GatewayError("already_paid", { code: "already_paid", message: "The buyer has paid this payment, or is paying it." });
  if (state === "failed" || state === "expired" || state === "canceled")
    throw new GatewayError("conflict", { code: "ended", message: "This payment has ended." });
  return payment;
}

function unlessUnknown(error: unknown): null {
  if (error instanceof GatewayError && error.kind === "not_found") return null;
  throw error;
}

function requestPayment(call: GatewayCall, apiKey: string, wanted: NewGatewayPayment): Promise<Record<string, unknown>> {
  const { reference, amount, title, returnUrl, cancelUrl, notifyUrl, metadata, buyer } = wanted;
  const locale = localeOf(buyer.locale);
  const body = {
    amount: wireOf(amount),
    description: title,
    redirectUrl: returnUrl,
    cancelUrl,
    // Mollie refuses a payment whose callbacks it can't deliver; a simulated Mollie on this machine can.
    ...(isLoopbackUrl(notifyUrl) && !isLoopbackUrl(call.baseUrl) ? {} : { webhookUrl: notifyUrl }),
    ...(locale === null ? {} : { locale }),
    metadata: { ...metadata, [referenceKey]: reference },
  };
  return callMollie(call, apiKey, { method: "POST", path: "/v2/payments", body, once: reference });
}

function createdOf(payment: Record<string, unknown>, given: { wanted: NewGatewayPayment; changes: boolean }): CreatedPayment {
  const { amount, expiresAt } = given.wanted;
  const snapshot = readResource(payment, "payment") === null ? null : paymentOf(payment);
  const url = linkOf(payment, "checkout");
  if (snapshot === null || url === null || !/^https?:\/\//.test(url)) throw malformedAnswer(given.changes);
  if (snapshot.asked?.amount_minor !== amount.amount_minor || snapshot.asked.currency !== amount.currency) {
    throw new GatewayError("conflict", {
      code: "other_amount",
      message: "Mollie has a payment with this reference and a different amount.",
    });
  }
  const endsAt = timeOf(payment["expiresAt"]);
  return { ...snapshot, action: { type: "redirect", url }, actionExpiresAt: endsAt !== null && endsAt < expiresAt ? endsAt : null };
}

function localeOf(tag: string): string | null {
  const [language = "", ...rest] = tag.split("-");
  const region = rest.at(-1)?.toUpperCase();
  const spoken = language.toLowerCase() === "no" ? "nb" : language.toLowerCase();
  return locales.find((locale) => locale === `${spoken}_${region}`) ?? locales.find((locale) => locale.startsWith(`${spoken}_`)) ?? null;
}

/** A payment with its chargebacks. */
export async function queryPayment(call: GatewayCall, apiKey: string, key: PaymentKey): Promise<PaymentSnapshot> {
  const { snapshot } = await readPayment(call, apiKey, await findPaymentId(call, apiKey, key));
  return snapshot;
}

async function readPayment(call: GatewayCall, apiKey: string, id: string): Promise<{ snapshot: PaymentSnapshot }> {
  const payment = await callMollie(call, apiKey, { method: "GET", path: `/v2/payments/${encodeURIComponent(id)}?embed=chargebacks` });
  const snapshot = readResource(payment, "payment") === null ? null : paymentOf(payment);
  if (snapshot === null) throw malformedAnswer(false);
  return { snapshot };
}

/** Returns Mollie's id of a payment; `not_found` if there is none that could be paid. */
export async function findPaymentId(call: GatewayCall, apiKey: string, { reference, providerId }: PaymentKey): Promise<string> {
  if (providerId !== null) return providerId;
  const earliest = call.now().getTime() - listedSeconds * 1_000;
  let from = "";
  for (let page = 0; page < maxPages; page += 1) {
    const answer = await callMollie(call, apiKey, { method: "GET", path: `/v2/payments?limit=${pageSize}${from}` });
    const list = readList(answer, { under: "payments", resource: "payment" });
    if (list === null) throw malformedAnswer(false);
    const found = textOf(list.items.find((payment) => metadataOf(payment, referenceKey) === reference)?.["id"]);
    if (found !== null) return found;
    const oldest = timeOf(list.items.at(-1)?.["createdAt"]);
    if (list.next === null || (oldest !== null && oldest.getTime() < earliest)) {
      throw new GatewayError("not_found", { code: "http_404", message: "Mollie has no payment with this reference." });
    }
    if (oldest === null) throw malformedAnswer(false);
    from = `&from=${encodeURIComponent(list.next)}`;
  }
  throw new GatewayError("unavailable", { code: "too_many_payments", message: "There are too many payments to search for this one." });
}

/** Cancels a payment that the buyer hasn't started to pay. A started one can be paid until it expires: that is a `conflict`. */
export async function closePayment(call: GatewayCall, apiKey: string, key: PaymentKey): Promise<"closed" | "already_paid" | "absent"> {
  try {
    const id = await findPaymentId(call, apiKey, key);
    return await cancel(call, apiKey, id);
  } catch (error) {
    if (error instanceof GatewayError && error.kind === "not_found") return "absent";
    throw error;
  }
}

async function cancel(call: GatewayCall, apiKey: string, id: string): Promise<"closed" | "already_paid"> {
  try {
    const payment = await callMollie(call, apiKey, { method: "DELETE", path: `/v2/payments/${encodeURIComponent(id)}` });
    if (readResource(payment, "payment") === null || payment["status"] !== "canceled") throw malformedAnswer(true);
    return "closed";
  } catch (error) {
    if (!(error instanceof GatewayError) || error.kind !== "invalid") throw error;
    const { state } = (await readPayment(call, apiKey, id)).snapshot;
    if (state === "succeeded" || state === "processing") return "already_paid";
    if (state !== "pending") return "closed";
    throw new GatewayError("conflict", {
      code: "not_cancelable",
      message: "The buyer has started to pay, so Mollie can no longer cancel the payment.",
    });
  }
}
