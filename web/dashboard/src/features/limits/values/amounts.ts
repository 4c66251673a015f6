import { moneyFormat } from "../../../words/money-text.ts";

/** True for caps that count money. */
export function isMoney(cap: string): boolean {
  return cap.endsWith("_micros");
}

const micros = 1_000_000;

/** An amount in millionths as the reader writes money, without fractions of a cent. */
export function microsText(locale: string, amount: number, currency: string | null): string {
  if (currency === null) return amount.toLocaleString(locale);
  return moneyFormat(locale, currency, false).format(amount / micros);
}

/** A price, which may have fractions of a cent. */
export function priceText(locale: string, amount: number, currency: string): string {
  return priceParts(locale, amount, currency).join("");
}

/** A price up to its last decimal, and what follows it: in some regions, the currency. */
export function priceParts(locale: string, amount: number, currency: string): [string, string] {
  const format = {
    style: "currency",
    currency,
    currencyDisplay: "narrowSymbol",
    minimumFractionDigits: 2,
    maximumFractionDigits: 6,
  } as const;
  const parts = new Intl.NumberFormat(locale, format).formatToParts(amount / micros);
  const end = parts.findIndex(({ type }) => type === "fraction") + 1;
  const text = (some: typeof parts) => some.map(({ value }) => value).join("");
  return [text(parts.slice(0, end)), text(parts.slice(end))];
}

/** How many decimals a price is shown with: at least two. */
export function decimalsOf(amount: number): number {
  return Math.max(2, decimalOf(amount).split(".")[1]?.length ?? 0);
}

/** As a field shows it: 7500 is "0.0075". */
export function decimalOf(amount: number): string {
  const whole = Math.floor(amount / micros);
  const part = String(amount % micros)
    .padStart(6, "0")
    .replace(/0+$/, "");
  return part === "" ? String(whole) : `${whole}.${part}`;
}

/** Millionths of a typed amount; null if it isn't one. */
export function microsOf(text: string): number | null {
  const match = /^(\d{1,9})(?:[.](\d{0,6}))?$/.exec(text.trim());
  return match === null ? null : Number(match[1]) * micros + Number((match[2] ?? "").padEnd(6, "0"));
}

/** A typed whole number; null if it isn't one. */
export function countOf(text: string): number | null {
  return /^\d{1,12}$/.test(text.trim()) ? Number(text.trim()) : null;
}
