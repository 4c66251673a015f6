import type { DisputeSnapshot, GatewayAmount, PaymentSnapshot, PaymentState, RefundSnapshot } from "#gateways/index.ts";
import { stripeAmounts } from "./amounts.ts";

/** Our reference in the metadata of sessions, payment intents, charges and refunds, next to the merchant's own keys. */
export const referenceKey = "tillpost_reference";
/** Our refund's reference in the metadata of refunds. */
export const refundKey = "tillpost_refund";

type Fields = Record<string, unknown>;

/** The object of a Stripe type; null for anything else. Responses and events are read through this, whatever their types promise. */
export function readObjectOf(value: unknown, type: string): Fields | null {
  return typeof value === "object" && value !== null && (value as Fields)["object"] === type ? (value as Fields) : null;
}

/** The items of a list as they are, and if there are more, the id after which they start. null for anything else. */
export function readItems(value: unknown): { items: unknown[]; after: string | null } | null {
  const list = readObjectOf(value, "list");
  if (list === null || !Array.isArray(list["data"])) return null;
  const items: unknown[] = list["data"];
  const after = list["has_more"] === true ? idOf(items.at(-1)) : null;
  return after !== null || list["has_more"] === false ? { items, after } : null;
}

/** Like `readItems`, for objects of a type; null if one can't be read. */
export function readList(value: unknown, type: string): { data: Fields[]; after: string | null } | null {
  const list = readItems(value);
  const data = (list?.items ?? []).map((item) => readObjectOf(item, type)).filter((item) => item !== null);
  return list !== null && data.length === list.items.length ? { data, after: list.after } : null;
}

export function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

/** The id of a field that Stripe returns as an id or, if expanded, as the whole object. */
export function idOf(value: unknown): string | null {
  return textOf(typeof value === "object" && value !== null ? (value as Fields)["id"] : value);
}

/** A value of an object's metadata. */
export function metadataOf(object: Fields, key: string): string | null {
  const metadata = object["metadata"];
  return typeof metadata === "object" && metadata !== null ? textOf((metadata as Fields)[key]) : null;
}

export function amountOf(minor: unknown, currency: unknown): GatewayAmount | null {
  return typeof minor === "number" && typeof currency === "string" ? stripeAmounts.ofMinor(minor, currency) : null;
}

/** A time in seconds since 1970. */
export function timeOf(seconds: unknown): Date | null {
  return typeof seconds === "number" && Number.isSafeInteger(seconds) && seconds > 0 && seconds < 1e11 ? new Date(seconds * 1_000) : null;
}

/** Maps Stripe's session and payment states to ours. `complete/unpaid`: approved, and the bank decides later. */
const states: Readonly<Record<string, PaymentState>> = {
  "open/unpaid": "pending",
  "complete/paid": "succeeded",
  "complete/no_payment_required": "succeeded",
  "complete/unpaid": "processing",
  "expired/unpaid": "expired",
};

/** A Checkout Session as a payment; null if its state isn't documented. */
export function paymentOf(session: Fields): PaymentSnapshot | null {
  const providerState = `${textOf(session["status"])}/${textOf(session["payment_status"])}`;
  const intent = readObjectOf(session["payment_intent"], "payment_intent");
  const state = hasFailedLater(providerState, intent) ? "failed" : states[providerState];
  const providerId = textOf(session["id"]);
  if (state === undefined || providerId === null) return null;
  const charge = readObjectOf(intent?.["latest_charge"], "charge");
  const balance = readObjectOf(charge?.["balance_transaction"], "balance_transaction");
  const asked = amountOf(session["amount_total"], session["currency"]);
  const received = intent === null ? asked : amountOf(intent["amount_received"], intent["currency"]);
  // Callbacks don't include it, and Stripe may determine it after the payment.
  const isFeeLater = state === "succeeded" && balance === null && idOf(session["payment_intent"]) !== null;
  return {
    reference: textOf(session["client_reference_id"]),
    providerId,
    captureId: idOf(session["payment_intent"]),
    state,
    asked,
    paid: state === "succeeded" ? received : null,
    refunded: charge === null ? null : amountOf(charge["amount_refunded"], charge["currency"]),
    fee: balance === null ? null : amountOf(balance["fee"], balance["currency"]),
    ...(isFeeLater ? { feeLater: true as const } : {}),
    paidAt: state === "succeeded" ? timeOf(charge?.["created"]) : null,
    providerState,
    livemode: typeof session["livemode"] === "boolean" ? session["livemode"] : null,
    account: null,
    failure: state === "failed" ? failureOf(intent) : null,
  };
}

/**
 * A payment that the bank declined after the buyer was done: the session stays complete, and its intent requires another payment method or
 * is canceled.
 */
function hasFailedLater(providerState: string, intent: Fields | null): boolean {
  return providerState === "complete/unpaid" && (intent?.["status"] === "requires_payment_method" || intent?.["status"] === "canceled");
}

/** Why an intent failed, from Stripe's error. */
export function failureOf(intent: Fields | null): { code: string; message: string } {
  const error = (intent?.["last_payment_error"] ?? {}) as Fields;
  return {
    code: textOf(error["decline_code"]) ?? textOf(error["code"]) ?? "payment_failed",
    message: textOf(error["message"]) ?? "The payment failed after the buyer had approved it.",
  };
}

/** `requires_action` waits for the buyer to respond to Stripe's own email: there is no address to claim it at, so it's pending. */
const refundStates: Readonly<Record<string, RefundSnapshot["state"]>> = {
  pending: "pending",
  requires_action: "pending",
  succeeded: "succeeded",
  failed: "failed",
  canceled: "failed",
};

/** A refund from Stripe; null if its state isn't documented. */
export function refundOf(refund: Fields): RefundSnapshot | null {
  const providerState = textOf(refund["status"]) ?? "pending";
  const state = refundStates[providerState];
  const providerRefundId = textOf(refund["id"]);
  if (state === undefined || providerRefundId === null) return null;
  const code = textOf(refund["failure_reason"]) ?? providerState;
  return {
    refundReference: metadataOf(refund, refundKey),
    providerRefundId,
    state,
    amount: amountOf(refund["amount"], refund["currency"]),
    claimUrl: null,
    providerState,
    failure: state === "failed" ? { code, message: "The refund couldn't be paid out; the money is back in the Stripe balance." } : null,
  };
}

/**
 * `warning_…`: the bank inquires and nothing is taken; once it closes, nothing was. `prevented`: refunded to the buyer before it became a
 * dispute. `appeal_…`: lost so far, but appealed.
 */
const disputeStates: Readonly<Record<string, DisputeSnapshot["state"]>> = {
  warning_needs_response: "inquiry",
  warning_under_review: "inquiry",
  warning_closed: "won",
  needs_response: "opened",
  under_review: "opened",
  appeal_needs_response: "opened",
  appeal_under_review: "opened",
  won: "won",
  lost: "lost",
  prevented: "lost",
};

/** A dispute from Stripe; null if its state isn't documented. */
export function disputeOf(dispute: Fields): DisputeSnapshot | null {
  const state = disputeStates[textOf(dispute["status"]) ?? ""];
  const providerDisputeId = textOf(dispute["id"]);
  const amount = amountOf(dispute["amount"], dispute["currency"]);
  const occurredAt = timeOf(dispute["created"]);
  if (state === undefined || providerDisputeId === null || amount === null || occurredAt === null) return null;
  const payment = { reference: null, providerId: null, captureId: idOf(dispute["payment_intent"]) };
  return { providerDisputeId, payment, state, amount, reason: textOf(dispute["reason"]), occurredAt, ...feeOfDispute(dispute) };
}

/** Stripe's fee for a dispute, from the transactions that moved its money; a returned fee is subtracted. null before money has moved. */
function feeOfDispute(dispute: Fields): Pick<DisputeSnapshot, "fee"> {
  const moved = dispute["balance_transactions"];
  if (!Array.isArray(moved) || moved.length === 0) return {};
  const fees = moved.map((transaction: Fields | null) => ({ minor: transaction?.["fee"], currency: textOf(transaction?.["currency"]) }));
  const currency = fees[0]?.currency ?? null;
  let sum = 0;
  for (const { minor, currency: other } of fees) {
    if (typeof minor !== "number" || !Number.isSafeInteger(minor) || currency === null || other !== currency) return {};
    sum += minor;
  }
  const fee = sum > 0 ? amountOf(sum, currency) : null;
  return { fee };
}
