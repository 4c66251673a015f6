import {
  type GatewayAmount,
  GatewayError,
  type GatewayErrorKind,
  type PaymentSnapshot,
  type PaymentState,
  wireAmounts,
} from "#gateways/index.ts";

const amounts = wireAmounts();
const hour = 3_600_000;

/** `12.34`, in yuan. Throws `invalid` for any other currency. */
export function yuanOf(amount: GatewayAmount): string {
  if (amount.currency !== "CNY") throw new GatewayError("invalid", { code: "currency", message: "Alipay only accepts CNY." });
  return amounts.decimal(amount);
}

/** null if it isn't an exact amount. */
export function amountOf(yuan: string | null): GatewayAmount | null {
  return yuan === null ? null : amounts.ofDecimal(yuan, "CNY");
}

/** `2026-11-20 16:00:00`: Alipay always writes Beijing time, which has had no daylight saving time since 1991. */
export function beijingTime(at: Date): string {
  return new Date(at.getTime() + 8 * hour).toISOString().slice(0, 19).replace("T", " ");
}

/** null if it isn't such a time. */
export function instantOf(beijing: string | null): Date | null {
  if (beijing === null || !/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(beijing)) return null;
  const at = new Date(`${beijing.replace(" ", "T")}+08:00`);
  return Number.isNaN(at.getTime()) ? null : at;
}

/** Subjects can't contain `/`, `=` and `&`; the full-width forms look the same to buyers. */
export function plainText(text: string, maxLength: number): string {
  const plain = text.replaceAll("/", "／").replaceAll("=", "＝").replaceAll("&", "＆");
  return [...plain].slice(0, maxLength).join("");
}

/** The meaning of `code` if the gateway itself refused the request. */
const gatewayKinds: Readonly<Record<string, GatewayErrorKind>> = {
  20001: "auth",
  40001: "invalid",
  40002: "invalid",
  40003: "auth",
  40005: "rate_limited",
  40006: "auth",
};

/**
 * The meaning of `sub_code` if it says more than `code`. The documents' list is long and open-ended: a code that isn't here is `invalid`,
 * which doesn't end anything.
 */
const kinds: Readonly<Record<string, GatewayErrorKind>> = {
  "isv.invalid-app-id": "auth",
  "isv.invalid-signature": "auth",
  "isv.invalid-app-cert-sn": "auth",
  "isv.invalid-root-cert-sn": "auth",
  "isv.missing-app-cert-sn": "auth",
  "isv.missing-signature-key": "auth",
  "isv.missing-signature-config": "auth",
  "isv.app-cert-expired": "auth",
  // A clock is minutes off, here or there.
  "isv.invalid-timestamp": "unavailable",
  "isv.app-call-limited": "rate_limited",
  "isv.method-call-limited": "rate_limited",
  "ACQ.ACCESS_FORBIDDEN": "auth",
  "ACQ.PARTNER_ERROR": "auth",
  "ACQ.TRADE_NOT_EXIST": "not_found",
  "ACQ.TRADE_HAS_SUCCESS": "already_paid",
  "ACQ.TRADE_HAS_CLOSE": "conflict",
  "ACQ.CONTEXT_INCONSISTENT": "conflict",
  "ACQ.TRADE_BUYER_NOT_MATCH": "conflict",
  "ACQ.TRADE_STATUS_ERROR": "conflict",
  "ACQ.REASON_TRADE_STATUS_INVALID": "conflict",
  "ACQ.REASON_ILLEGAL_STATUS": "conflict",
  "ACQ.DISCORDANT_REPEAT_REQUEST": "conflict",
  "ACQ.SELLER_BALANCE_NOT_ENOUGH": "declined",
  "ACQ.TRADE_HAS_FINISHED": "declined",
  "ACQ.TRADE_NOT_ALLOW_REFUND": "declined",
  "ACQ.REASON_TRADE_BEEN_FREEZEN": "declined",
  "ACQ.BUYER_ERROR": "declined",
  "ACQ.BUYER_NOT_EXIST": "declined",
  "ACQ.USER_NOT_MATCH_ERR": "declined",
};

/** Alipay's own failures: the request may have been carried out and is repeated. The second is how the documents spell it in one place. */
const systemErrors = new Set([
  "ACQ.SYSTEM_ERROR",
  "AQC.SYSTEM_ERROR",
  "isp.unknow-error",
  "aop.unknow-error",
  "isp.unknown-error",
  "aop.unknown-error",
]);

/** The kind of a refusal; `changes`: whether the request may have changed something. */
export function kindOf({ code, subCode, changes }: { code: string; subCode: string; changes: boolean }): GatewayErrorKind {
  if (systemErrors.has(subCode)) return changes ? "unknown_outcome" : "unavailable";
  if (Object.hasOwn(kinds, subCode)) return kinds[subCode] ?? "invalid";
  if (Object.hasOwn(gatewayKinds, code)) return gatewayKinds[code] ?? "invalid";
  return code === "40004" ? "invalid" : changes ? "unknown_outcome" : "unavailable";
}

/** Codes with which close reports that a trade no longer waits for its buyer. */
export const notWaiting: ReadonlySet<string> = new Set([
  "ACQ.TRADE_STATUS_ERROR",
  "ACQ.REASON_TRADE_STATUS_INVALID",
  "ACQ.REASON_ILLEGAL_STATUS",
]);

const states: Readonly<Record<string, PaymentState>> = {
  WAIT_BUYER_PAY: "pending",
  TRADE_SUCCESS: "succeeded",
  /** Can no longer be refunded. */
  TRADE_FINISHED: "succeeded",
  TRADE_CLOSED: "canceled",
};

/** Reads one field of a response or a callback; null if it's missing or empty. */
export type Fields = (name: string) => string | null;

/** Returns a reader of a response's fields, whose amounts are texts or numbers. */
export function fieldsOf(answer: Readonly<Record<string, unknown>>): Fields {
  return (name) => {
    const value = Object.hasOwn(answer, name) ? answer[name] : null;
    return (typeof value === "string" && value !== "") || typeof value === "number" ? String(value) : null;
  };
}

/**
 * A trade from a response or a callback; null if its status isn't documented. A closed trade was either never paid, or paid and refunded in
 * full. Only received money tells them apart, because both have a payment time.
 */
export function snapshotOf(field: Fields, account: string): PaymentSnapshot | null {
  const status = field("trade_status") ?? "";
  const state = Object.hasOwn(states, status) ? states[status] : undefined;
  const total = amountOf(field("total_amount"));
  if (state === undefined || total === null || total.amount_minor === 0) return null;
  const wentBack = moneyIn(field("refund_fee"));
  const isRefunded =
    status === "TRADE_CLOSED" && (wentBack ?? moneyIn(field("buyer_pay_amount")) ?? moneyIn(field("receipt_amount"))) !== null;
  const isPaid = state === "succeeded" || isRefunded;
  return {
    reference: field("out_trade_no"),
    providerId: field("trade_no"),
    captureId: null,
    state: isPaid ? "succeeded" : state,
    asked: total,
    paid: isPaid ? total : null,
    refunded: wentBack ?? (isRefunded ? total : null),
    fee: isPaid ? moneyIn(field("charge_amount")) : null,
    paidAt: isPaid ? (instantOf(field("gmt_payment")) ?? instantOf(field("send_pay_date"))) : null,
    providerState: status,
    livemode: null,
    account,
    failure: null,
  };
}

function moneyIn(yuan: string | null): GatewayAmount | null {
  const amount = amountOf(yuan);
  return amount === null || amount.amount_minor === 0 ? null : amount;
}

/** A payment that Alipay doesn't know yet: the trade is created when the buyer scans the code or signs in on the page. */
export function unopened({ reference, account }: { reference: string; account: string }, asked: GatewayAmount | null): PaymentSnapshot {
  return {
    reference,
    providerId: null,
    captureId: null,
    state: "pending",
    asked,
    paid: null,
    refunded: null,
    fee: null,
    paidAt: null,
    providerState: "TRADE_NOT_EXIST",
    livemode: null,
    account,
    failure: null,
  };
}
