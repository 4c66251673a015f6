import {
  at,
  type GatewayAmount,
  malformedAnswer,
  type PaymentSnapshot,
  type PaymentState,
  type RefundSnapshot,
  textAt,
  wireAmounts,
} from "#gateways/index.ts";

/** Razorpay counts in ISO's minor units, and requires the last of three decimals to be 0. */
export const amounts = wireAmounts({ lastDigitZero: ["BHD", "IQD", "JOD", "KWD", "OMR", "TND"] });

/** An amount from minor units and a currency; null if it isn't one. */
export function amountOf(minor: unknown, currency: string | null): GatewayAmount | null {
  return typeof minor === "number" && currency !== null ? amounts.ofMinor(minor, currency) : null;
}

/** A time in seconds since 1970; null if it isn't one or is 0, which Razorpay writes for never. */
export function timeOf(seconds: unknown): Date | null {
  return typeof seconds === "number" && Number.isSafeInteger(seconds) && seconds > 0 && seconds < 1e11 ? new Date(seconds * 1_000) : null;
}

/** The note keys of our references on payments and refunds. */
export const notes = { reference: "payment_reference", refundReference: "refund_reference" } as const;

const linkStates: ReadonlyMap<string, PaymentState> = new Map(
  Object.entries({ created: "pending", partially_paid: "pending", paid: "succeeded", expired: "expired", cancelled: "canceled" }),
);

const refundStates: ReadonlyMap<string, RefundSnapshot["state"]> = new Map(
  Object.entries({ pending: "pending", processed: "succeeded", failed: "failed" }),
);

/** The state of a link and the attempts to pay it. Throws `malformed_answer` if it isn't documented. */
export function snapshotOf(link: unknown, payments: readonly unknown[]): PaymentSnapshot {
  const [status, providerId, currency] = [textAt(link, "status") ?? "", textAt(link, "id"), textAt(link, "currency")];
  const linkState = linkStates.get(status);
  if (linkState === undefined || providerId === null) throw malformedAnswer(false);
  const has = (word: string) => payments.findLast((payment) => textAt(payment, "status") === word);
  // A payment that its bank confirms late counts even if its link has ended.
  const taken = payments.findLast(wasCaptured);
  const payment = taken ?? has("authorized") ?? has("refunded") ?? has("failed");
  const state = taken !== undefined ? "succeeded" : has("authorized") !== undefined ? "processing" : linkState;
  const paid = taken === undefined ? null : linkState === "succeeded" ? amountOf(at(link, "amount_paid"), currency) : takenAmount(taken);
  if (state === "succeeded" && paid === null) throw malformedAnswer(false);
  const paymentStatus = textAt(payment, "status");
  return {
    reference: textAt(link, "reference_id"),
    providerId,
    captureId: taken === undefined ? null : textAt(taken, "id"),
    state,
    asked: amountOf(at(link, "amount"), currency),
    paid,
    refunded: taken === undefined ? null : amountOf(at(taken, "amount_refunded"), textAt(taken, "currency")),
    fee: taken === undefined ? null : feeOf(taken),
    paidAt: taken === undefined ? null : timeOf(at(taken, "created_at")),
    providerState: paymentStatus === null ? status : `${status} ${paymentStatus}`,
    livemode: null,
    account: null,
    // A failed attempt ends nothing: the buyer may try again on the same page, and it may still be authorized.
    failure: taken === undefined && has("authorized") === undefined ? failureOf(payment) : null,
  };
}

/** Whether the merchant got the money. Razorpay refunds an authorized payment by itself if it isn't captured in time. */
export function wasCaptured(payment: unknown): boolean {
  const status = textAt(payment, "status");
  return status === "captured" || (status === "refunded" && at(payment, "captured") === true);
}

/** Whether the buyer paid Razorpay's fee on top, as a convenience fee: then the payment's amount contains it, and the link's doesn't. */
const isFeeBuyers = (payment: unknown) => textAt(payment, "fee_bearer") === "customer";

/** What the merchant was paid, without a fee on top. */
function takenAmount(payment: unknown): GatewayAmount | null {
  const [amount, fee] = [at(payment, "amount"), isFeeBuyers(payment) ? at(payment, "fee") : 0];
  return amountOf(typeof amount === "number" && typeof fee === "number" ? amount - fee : amount, textAt(payment, "currency"));
}

/** Razorpay's fee, including its tax, in the currency that the account is settled in. 0 if the buyer paid it. */
function feeOf(payment: unknown): GatewayAmount | null {
  const currency = textAt(payment, "currency");
  const settled = textAt(payment, "base_currency") ?? currency;
  const isSettledElsewhere =
    settled === currency && at(payment, "base_amount") !== undefined && at(payment, "base_amount") !== at(payment, "amount");
  return isSettledElsewhere ? null : amountOf(isFeeBuyers(payment) ? 0 : at(payment, "fee"), settled);
}

function failureOf(payment: unknown): PaymentSnapshot["failure"] {
  const status = textAt(payment, "status");
  if (status === "refunded")
    return { code: "auto_refunded", message: "Razorpay refunded the payment automatically because it wasn't captured in time." };
  if (status !== "failed") return null;
  const code = textAt(payment, "error_reason") ?? textAt(payment, "error_code") ?? "failed";
  return { code: code.slice(0, 100), message: (textAt(payment, "error_description") ?? "The payment failed.").slice(0, 300) };
}

/** A refund in Razorpay's format. Throws `malformed_answer` if its state isn't documented. */
export function refundOf(refund: unknown, changes = false): RefundSnapshot {
  const [status, providerRefundId] = [textAt(refund, "status") ?? "", textAt(refund, "id")];
  const state = refundStates.get(status);
  if (state === undefined || providerRefundId === null) throw malformedAnswer(changes);
  return {
    refundReference: textAt(refund, "receipt") ?? textAt(refund, "notes", notes.refundReference),
    providerRefundId,
    state,
    amount: amountOf(at(refund, "amount"), textAt(refund, "currency")),
    claimUrl: null,
    providerState: status,
    failure: state === "failed" ? { code: status, message: "Razorpay couldn't pay out the refund." } : null,
  };
}
