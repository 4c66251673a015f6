/** Amounts are integers in minor units: 1 … 99 999 999 999. */
export const maxAmountMinor = 99_999_999_999;

/** ISO 4217 currencies whose exponent is not 2. */
const exponents: Record<string, number> = {
  BIF: 0,
  CLP: 0,
  DJF: 0,
  GNF: 0,
  ISK: 0,
  JPY: 0,
  KMF: 0,
  KRW: 0,
  PYG: 0,
  RWF: 0,
  UGX: 0,
  UYI: 0,
  VND: 0,
  VUV: 0,
  XAF: 0,
  XOF: 0,
  XPF: 0,
  BHD: 3,
  IQD: 3,
  JOD: 3,
  KWD: 3,
  LYD: 3,
  OMR: 3,
  TND: 3,
  CLF: 4,
  UYW: 4,
};

const twoDecimals =
  "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD YER ZAR ZMW ZWG".split(
    " ",
  );

for (const code of twoDecimals) exponents[code] = 2;

/** Upper-case code of a known ISO 4217 currency, or null. */
export function readCurrency(text: string): string | null {
  const code = text.toUpperCase();
  return /^[A-Za-z]{3}$/.test(text) && Object.hasOwn(exponents, code) ? code : null;
}

/** Number of decimals of a currency that `readCurrency` accepted. */
export function currencyExponent(currency: string): number {
  const exponent = exponents[currency];
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
