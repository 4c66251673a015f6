import { isoExponent } from "./currencies.ts";

/** Amounts are integers in minor units: 1 … 99 999 999 999. */
export const maxAmountMinor = 99_999_999_999;

/** Upper-case code of a known ISO 4217 currency, or null. */
export function readCurrency(text: string): string | null {
  const code = text.toUpperCase();
  return /^[A-Za-z]{3}$/.test(text) && isoExponent(code) !== undefined ? code : null;
}

/** Number of decimals of a currency that `readCurrency` accepted. */
export function currencyExponent(currency: string): number {
  const exponent = isoExponent(currency);
  if (exponent === undefined) throw new Error(`unknown currency ${currency}`);
  return exponent;
}

/** The amount as a plain decimal text, for people and for CSV: 9900 with exponent 2 is "99.00". */
export function decimalOf(amountMinor: number, exponent: number): string {
  const digits = String(Math.abs(amountMinor)).padStart(exponent + 1, "0");
  const whole = digits.slice(0, digits.length - exponent);
  const sign = amountMinor < 0 ? "-" : "";
  return exponent === 0 ? sign + whole : `${sign}${whole}.${digits.slice(-exponent)}`;
}

/** Minor units of a decimal text such as "1,234.50" or "¥99.00"; null if it isn't an exact amount with this exponent. */
export function minorOf(text: string, exponent: number): number | null {
  const plain = text
    .trim()
    .replace(/^[¥￥$€£]\s*/, "")
    .replaceAll(",", "");
  const match = /^(-?)(\d{1,15})(?:\.(\d+))?$/.exec(plain);
  if (match === null) return null;
  const digits = match[3] ?? "";
  let end = digits.length;
  while (digits.charAt(end - 1) === "0") end -= 1;
  const fraction = digits.slice(0, end);
  if (fraction.length > exponent) return null;
  const minor = Number(`${match[2]}${fraction.padEnd(exponent, "0")}`);
  if (!Number.isSafeInteger(minor)) return null;
  return match[1] === "-" ? -minor : minor;
}

/** A number of basis points of an amount, rounded down. */
export function shareOf(amountMinor: number, basisPoints: number): number {
  return Number((BigInt(amountMinor) * BigInt(basisPoints)) / 10_000n);
}
