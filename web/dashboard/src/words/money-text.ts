import { isoExponent } from "../../../language/currencies.ts";

const formatters = new Map<string, Intl.NumberFormat>();

/** An amount's format in a language; `sign` also shows a plus. */
export function moneyFormat(locale: string, currency: string, sign: boolean): Intl.NumberFormat {
  const key = `${locale} ${currency} ${sign}`;
  const known = formatters.get(key);
  if (known !== undefined) return known;
  const made = new Intl.NumberFormat(locale, {
    style: "currency",
    currency,
    currencyDisplay: "narrowSymbol",
    minimumFractionDigits: exponentOf(currency),
    maximumFractionDigits: exponentOf(currency),
    ...(sign ? { signDisplay: "exceptZero" } : {}),
  });
  formatters.set(key, made);
  return made;
}

/** As plain text, for labels and titles. */
export function moneyText(locale: string, minor: number, currency: string): string {
  return moneyFormat(locale, currency, false).format(toMajor(minor, currency));
}

/** Decimals of a currency: the server's, whatever the browser thinks. */
export function exponentOf(currency: string): number {
  return isoExponent(currency) ?? 2;
}

export function toMajor(minor: number, currency: string): number {
  return minor / 10 ** exponentOf(currency);
}
