import { type GatewayAmount, type GatewayErrorKind, type PaymentState, type RefundSnapshot, wireAmounts } from "#gateways/index.ts";

/** An unverified object of a response or a callback. */
export type Wire = Readonly<Record<string, unknown>>;

const amounts = wireAmounts();

export const text = (wire: Wire, name: string): string | null => {
  const value = wire[name];
  return typeof value === "string" && value !== "" ? value : null;
};

export const inner = (wire: Wire, name: string): Wire => {
  const value = wire[name];
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Wire) : {};
};

/** The object of a text; null for any other text. */
export function parseWire(json: string): Wire | null {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Wire) : null;
  } catch {
    return null;
  }
}

/** An amount of fen; null for anything else. */
export function amountIn(wire: Wire, name: string): GatewayAmount | null {
  const { [name]: fen, currency = "CNY" } = wire;
  return typeof fen === "number" && currency === "CNY" ? amounts.ofMinor(fen, "CNY") : null;
}

/** An amount in the format of bills, in yuan: `12.34`. */
export const yuanIn = (cell: string): GatewayAmount | null => amounts.ofDecimal(cell, "CNY");

/** Throws `invalid` for an amount that isn't in yuan. */
export function fenOf(amount: GatewayAmount): number {
  return amounts.minor(amount);
}

/** A moment in WeChat Pay's format, with its offset from UTC; null for any other text. */
export function momentIn(wire: Wire, name: string): Date | null {
  const value = text(wire, name) ?? "";
  const at = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? null : new Date(at);
}

const beijingOffsetMs = 8 * 3_600_000;

/** The moment in Beijing, without fractions of a second: `2026-11-20T16:00:00+08:00`. */
export function beijingTime(at: Date): string {
  return `${new Date(at.getTime() + beijingOffsetMs).toISOString().slice(0, 19)}+08:00`;
}

/** Maps WeChat Pay's payment states to ours. `REFUND`: it was paid, and some or all of it was refunded. */
export const paymentStates: Readonly<Record<string, PaymentState>> = {
  SUCCESS: "succeeded",
  REFUND: "succeeded",
  NOTPAY: "pending",
  USERPAYING: "processing",
  ACCEPT: "processing",
  CLOSED: "canceled",
  REVOKED: "canceled",
  PAYERROR: "failed",
};

/** `ABNORMAL`: the buyer's bank returned the money, and a person must decide at WeChat Pay where it goes. */
export const refundStates: Readonly<Record<string, RefundSnapshot["state"]>> = {
  SUCCESS: "succeeded",
  PROCESSING: "pending",
  CLOSED: "failed",
  ABNORMAL: "failed",
};

/** Error codes without their underscores: WeChat Pay has spelled them both ways. */
const errorKinds: Readonly<Record<string, GatewayErrorKind>> = {
  PARAMERROR: "invalid",
  // Among others: repeated under the same number with different values.
  INVALIDREQUEST: "conflict",
  OUTTRADENOUSED: "conflict",
  ORDERCLOSED: "conflict",
  ORDERPAID: "already_paid",
  SIGNERROR: "auth",
  NOAUTH: "auth",
  APPIDMCHIDNOTMATCH: "auth",
  MCHNOTEXISTS: "auth",
  ORDERNOTEXIST: "not_found",
  RESOURCENOTEXISTS: "not_found",
  NOTENOUGH: "declined",
  USERACCOUNTABNORMAL: "declined",
  ACCOUNTERROR: "declined",
  RULELIMIT: "declined",
  TRADEERROR: "declined",
  FREQUENCYLIMITED: "rate_limited",
  RATELIMITEXCEEDED: "rate_limited",
};

/** The kind of an error that WeChat Pay signed; null if only its status means something. */
export function errorKindOf(code: string): GatewayErrorKind | null {
  return errorKinds[code.replaceAll("_", "")] ?? null;
}

/** Whether a request, such as for a refund of one payment, came too soon after another one. */
export function isTooFrequent(code: string): boolean {
  return code.replaceAll("_", "") === "FREQUENCYLIMITED";
}

/** Text that WeChat Pay accepts: one line of characters of the Basic Multilingual Plane. The grave accent starts a cell in its bills. */
export function plainText(value: string, maxCharacters: number): string {
  const plain = [...value]
    .filter((character) => character.length === 1 && !/[\uD800-\uDFFF]/.test(character))
    .map((character) => (/[\u0000-\u001F\u007F-\u009F\u2028\u2029]/.test(character) ? " " : character === "`" ? "'" : character))
    .join("");
  return plain.slice(0, maxCharacters).trim();
}
