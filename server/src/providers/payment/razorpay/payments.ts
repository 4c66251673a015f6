import {
  at,
  type CreatedPayment,
  type GatewayCall,
  GatewayError,
  listAt,
  malformedAnswer,
  type NewGatewayPayment,
  type PaymentKey,
  type PaymentSnapshot,
  textAt,
} from "#gateways/index.ts";
import { ask, askForItems, type Credentials } from "./client.ts";
import { manifest } from "./manifest.ts";
import { amounts, notes, snapshotOf, wasCaptured } from "./wire.ts";

/** Creates the link of a payment, or finds the one with its reference: Razorpay only ever creates one per reference. */
export async function createPayment(call: GatewayCall, credentials: Credentials, payment: NewGatewayPayment): Promise<CreatedPayment> {
  const link = await ask(call, credentials, { method: "POST", path: "/payment_links", body: linkBody(call, payment) }).catch(
    (error: unknown) => {
      if (error instanceof GatewayError && /reference.?id/i.test(error.message)) return findExisting(call, credentials, { payment, error });
      throw error;
    },
  );
  const [url, status] = [textAt(link, "short_url"), textAt(link, "status")];
  if (url === null || !/^https?:\/\//.test(url) || !URL.canParse(url)) throw malformedAnswer(true);
  if (status !== "created") {
    const message = "The payment link with this reference is no longer open.";
    throw new GatewayError(status === "paid" ? "already_paid" : "conflict", { code: status ?? "no_status", message });
  }
  return { ...snapshotOf(link, []), action: { type: "redirect", url }, actionExpiresAt: null };
}

function linkBody(call: GatewayCall, { reference, amount, title, returnUrl, expiresAt, metadata }: NewGatewayPayment): unknown {
  const { minSeconds, maxSeconds } = manifest.lifetime;
  const seconds = Math.floor((expiresAt.getTime() - call.now().getTime()) / 1_000);
  return {
    amount: amounts.minor(amount),
    currency: amount.currency,
    accept_partial: false,
    reference_id: reference,
    description: title,
    expire_by: Math.floor(call.now().getTime() / 1_000) + Math.min(Math.max(seconds, minSeconds), maxSeconds),
    notify: { sms: false, email: false },
    reminder_enable: false,
    notes: {
      ...Object.fromEntries(Object.entries(metadata).map(([name, value]) => [name, value.slice(0, 250)])),
      [notes.reference]: reference,
    },
    callback_url: returnUrl,
    callback_method: "get",
  };
}

/** The existing link of this reference. One with another amount isn't this payment's. */
async function findExisting(
  call: GatewayCall,
  credentials: Credentials,
  { payment, error }: { payment: NewGatewayPayment; error: GatewayError },
): Promise<unknown> {
  const link = await findByReference(call, credentials, payment.reference);
  if (link === null) throw error;
  const isSame = at(link, "amount") === amounts.minor(payment.amount) && textAt(link, "currency") === payment.amount.currency;
  if (!isSame) throw new GatewayError("conflict", { code: "other_amount", message: "This reference was used with a different amount." });
  return link;
}

async function findByReference(call: GatewayCall, credentials: Credentials, reference: string): Promise<unknown> {
  const found = await ask(call, credentials, { method: "GET", path: `/payment_links?reference_id=${encodeURIComponent(reference)}` });
  if (!Array.isArray(at(found, "payment_links"))) throw malformedAnswer(false);
  return listAt(found, "payment_links").find((link) => textAt(link, "reference_id") === reference) ?? null;
}

async function findLink(call: GatewayCall, credentials: Credentials, { reference, providerId }: PaymentKey): Promise<unknown> {
  if (providerId !== null) return ask(call, credentials, { method: "GET", path: pathOf(providerId) });
  const link = await findByReference(call, credentials, reference);
  if (link === null)
    throw new GatewayError("not_found", { code: "no_such_link", message: "Razorpay has no payment link with this reference." });
  return link;
}

/** Queries a payment at Razorpay: its link, and the attempts to pay it. */
export async function queryPayment(call: GatewayCall, credentials: Credentials, key: PaymentKey): Promise<PaymentSnapshot> {
  return withPayments(call, credentials, await findLink(call, credentials, key));
}

async function withPayments(call: GatewayCall, credentials: Credentials, link: unknown): Promise<PaymentSnapshot> {
  const [orderId, paymentId] = [textAt(link, "order_id"), textAt(listAt(link, "payments")[0], "payment_id")];
  // A paid link names its payment, and perhaps others; an unpaid one only has an order once a payment was attempted.
  if (textAt(link, "status") === "paid" && paymentId !== null) {
    const payment = await ask(call, credentials, { method: "GET", path: `/payments/${encodeURIComponent(paymentId)}` });
    if (wasCaptured(payment) || orderId === null) return snapshotOf(link, [payment]);
  }
  if (orderId === null) return snapshotOf(link, []);
  const payments = await askForItems(call, credentials, `/orders/${encodeURIComponent(orderId)}/payments`);
  return snapshotOf(
    link,
    payments.toSorted((one, other) => Number(at(one, "created_at")) - Number(at(other, "created_at"))),
  );
}

/**
 * Cancels the link of a payment. A payment that its bank still has to confirm is reported as paid: the link can be canceled, its money
 * can't.
 */
export async function closePayment(
  call: GatewayCall,
  credentials: Credentials,
  key: PaymentKey,
): Promise<"closed" | "already_paid" | "absent"> {
  try {
    const providerId = key.providerId ?? textAt(await findLink(call, credentials, key), "id") ?? "";
    const link = await ask(call, credentials, { method: "POST", path: `${pathOf(providerId)}/cancel` }).catch(async (error: unknown) => {
      // Razorpay refuses ended and paid links in the same way: the link shows which it is.
      if (error instanceof GatewayError && (error.kind === "invalid" || error.kind === "already_paid"))
        return findLink(call, credentials, { ...key, providerId });
      throw error;
    });
    const { state } = await withPayments(call, credentials, link);
    if (state === "pending")
      throw new GatewayError("conflict", { code: "not_cancelled", message: "Razorpay didn't cancel the payment link." });
    return state === "succeeded" || state === "processing" ? "already_paid" : "closed";
  } catch (error) {
    if (error instanceof GatewayError && error.kind === "not_found") return "absent";
    throw error;
  }
}

const pathOf = (linkId: string) => `/payment_links/${encodeURIComponent(linkId)}`;
