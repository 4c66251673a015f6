import {
  at,
  type GatewayAmount,
  listAt,
  malformedAnswer,
  type PaymentSnapshot,
  type PaymentState,
  type RefundSnapshot,
  textAt,
  wireAmounts,
} from "#gateways/index.ts";

/** PayPal accepts no decimals in these, and as many as ISO 4217 in the others. */
export const amounts = wireAmounts({ decimals: { HUF: 0, JPY: 0, TWD: 0 } });

export function moneyAt(value: unknown, ...path: readonly (string | number)[]): GatewayAmount | null {
  const money = at(value, ...path);
  const [text, currency] = [textAt(money, "value"), textAt(money, "currency_code")];
  return text === null || currency === null ? null : amounts.ofDecimal(text, currency);
}

export function dateAt(value: unknown, ...path: readonly (string | number)[]): Date | null {
  const date = new Date(textAt(value, ...path) ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? null : date;
}

/** The address of a link by its relation. */
export function linkOf(value: unknown, relations: readonly string[]): string | null {
  return textAt(
    listAt(value, "links").find((link) => relations.includes(textAt(link, "rel") ?? "")),
    "href",
  );
}

const orderStates: ReadonlyMap<string, PaymentState> = new Map(
  Object.entries({
    CREATED: "pending",
    SAVED: "pending",
    PAYER_ACTION_REQUIRED: "pending",
    // The buyer agreed, but nothing was captured yet.
    APPROVED: "processing",
    VOIDED: "canceled",
  }),
);

/** States of the money of a COMPLETED order, which only says that a capture was made or tried. */
const captureStates: ReadonlyMap<string, PaymentState> = new Map(
  Object.entries({
    COMPLETED: "succeeded",
    PARTIALLY_REFUNDED: "succeeded",
    REFUNDED: "succeeded",
    PENDING: "processing",
    DECLINED: "failed",
    FAILED: "failed",
  }),
);

const refundStates: ReadonlyMap<string, RefundSnapshot["state"]> = new Map(
  Object.entries({ PENDING: "pending", COMPLETED: "succeeded", FAILED: "failed", CANCELLED: "failed" }),
);

/** Why an approved order can't be captured even by retrying. The buyer may pay another way. */
export const finalRefusals: ReadonlySet<string> = new Set([
  "COMPLIANCE_VIOLATION",
  "DOMESTIC_TRANSACTION_REQUIRED",
  "MAX_NUMBER_OF_PAYMENT_ATTEMPTS_EXCEEDED",
  "PAYEE_BLOCKED_TRANSACTION",
  "PAYER_ACCOUNT_LOCKED_OR_CLOSED",
  "PAYER_ACCOUNT_RESTRICTED",
  "PAYER_CANNOT_PAY",
  "TRANSACTION_BLOCKED_BY_PAYEE",
  "TRANSACTION_LIMIT_EXCEEDED",
  "TRANSACTION_RECEIVING_LIMIT_EXCEEDED",
  "TRANSACTION_REFUSED",
]);

/** Why a capture failed although the buyer can still pay the order: on the same page, perhaps with another card. */
export const buyersTurn: ReadonlySet<string> = new Set([
  "INSTRUMENT_DECLINED",
  "PAYER_ACTION_REQUIRED",
  "REDIRECT_PAYER_FOR_ALTERNATE_FUNDING",
]);

/** An order in PayPal's format. Throws `malformed_answer` if its state isn't documented. */
export function snapshotOf(order: unknown): PaymentSnapshot {
  const unit = at(order, "purchase_units", 0);
  const status = textAt(order, "status") ?? "";
  const capture = captureOf(unit);
  const captureStatus = textAt(capture, "status");
  const state = status === "COMPLETED" ? captureStates.get(captureStatus ?? "") : orderStates.get(status);
  const providerId = textAt(order, "id");
  const paid = state === "succeeded" ? moneyAt(capture, "amount") : null;
  if (state === undefined || providerId === null || (state === "succeeded" && paid === null)) throw malformedAnswer(false);
  const reason = textAt(capture, "status_details", "reason");
  return {
    reference: textAt(unit, "custom_id") ?? textAt(unit, "invoice_id"),
    providerId,
    captureId: textAt(capture, "id"),
    state,
    asked: moneyAt(unit, "amount"),
    paid,
    refunded: paid === null ? null : refundedOf(unit, { capture, paid }),
    fee: paid === null ? null : moneyAt(capture, "seller_receivable_breakdown", "paypal_fee"),
    paidAt: paid === null ? null : dateAt(capture, "create_time"),
    providerState: [status, captureStatus, reason].filter((word) => word !== null).join(" "),
    livemode: null,
    account: textAt(unit, "payee", "merchant_id"),
    failure: state === "failed" ? { code: reason ?? captureStatus ?? status, message: "PayPal couldn't take the money." } : null,
  };
}

/** The successful capture; without one, the newest. */
function captureOf(unit: unknown): unknown {
  const captures = listAt(unit, "payments", "captures");
  return captures.find((capture) => captureStates.get(textAt(capture, "status") ?? "") === "succeeded") ?? captures.at(-1);
}

function refundedOf(unit: unknown, { capture, paid }: { capture: unknown; paid: GatewayAmount }): GatewayAmount | null {
  if (textAt(capture, "status") === "REFUNDED") return paid;
  const back = listAt(unit, "payments", "refunds")
    .filter((refund) => textAt(refund, "status") === "COMPLETED")
    .map((refund) => moneyAt(refund, "amount"));
  if (textAt(capture, "status") === "PARTIALLY_REFUNDED" && back.length === 0) return null;
  if (back.some((amount) => amount?.currency !== paid.currency)) return null;
  return { ...paid, amount_minor: back.reduce((sum, amount) => sum + (amount?.amount_minor ?? 0), 0) };
}

/** A refund in PayPal's format. Throws `malformed_answer` if its state isn't documented. */
export function refundOf(refund: unknown, changes = false): RefundSnapshot {
  const status = textAt(refund, "status") ?? "";
  const state = refundStates.get(status);
  const providerRefundId = textAt(refund, "id");
  if (state === undefined || providerRefundId === null) throw malformedAnswer(changes);
  const reason = textAt(refund, "status_details", "reason");
  return {
    refundReference: textAt(refund, "invoice_id"),
    providerRefundId,
    state,
    amount: moneyAt(refund, "amount"),
    claimUrl: null,
    providerState: reason === null ? status : `${status} ${reason}`,
    failure: state === "failed" ? { code: reason ?? status, message: "PayPal couldn't pay out the refund." } : null,
  };
}
