import { decimalOf, defineWords, type Language, languageInfo } from "#platform/index.ts";

const moneyFormats = new Map<string, Intl.NumberFormat>();

function moneyFormat(lang: Language, currency: string, exponent: number): Intl.NumberFormat {
  const key = `${lang}${currency}${exponent}`;
  let format = moneyFormats.get(key);
  if (format === undefined) {
    format = new Intl.NumberFormat(languageInfo(lang).locale, {
      style: "currency",
      currency,
      minimumFractionDigits: exponent,
      maximumFractionDigits: exponent,
    });
    moneyFormats.set(key, format);
  }
  return format;
}

export interface MoneyText {
  symbol: string;
  number: string;
  /** Only digits and a decimal point, as a wallet's amount field accepts them. */
  plain: string;
  /** Symbol and number as one text, for sentences. */
  whole: string;
}

/** ¥ is the yuan in every language; the yen names its country. */
const symbols: Readonly<Record<string, string>> = { CNY: "¥", JPY: "JP¥" };

/** An amount for the reader's locale. The decimals are handled as text, never as a float. */
export function moneyText(lang: Language, money: { amount_minor: number; currency: string; exponent: number }): MoneyText {
  const plain = decimalOf(money.amount_minor, money.exponent);
  const parts = moneyFormat(lang, money.currency, money.exponent).formatToParts(plain as Intl.StringNumericLiteral);
  const symbolPart = parts.find((part) => part.type === "currency")?.value ?? money.currency;
  const symbol = symbols[money.currency] ?? symbolPart;
  const number = parts
    .filter((part) => part.type !== "currency" && part.type !== "literal")
    .map((part) => part.value)
    .join("");
  return { symbol, number, plain, whole: /[A-Za-z]$/.test(symbol) ? `${symbol} ${number}` : `${symbol}${number}` };
}

/** A zone for readers whose own is unknown: Beijing time for yuan, UTC for everything else. */
export interface Zone {
  id: "Asia/Shanghai" | "UTC";
  name: string;
}

/** The zone's name in the reader's language. */
export const beijing = defineWords({ en: "Beijing time", zh: "北京时间" });

export function zoneOf(lang: Language, currency: string): Zone {
  if (currency !== "CNY") return { id: "UTC", name: "UTC" };
  return { id: "Asia/Shanghai", name: beijing[lang] };
}

const timeFormats = new Map<string, Intl.DateTimeFormat>();

/** Date and time as people write it, with the zone's name, because the server doesn't know the buyer's time zone. */
export function timeText(lang: Language, at: Date, zone: Zone): string {
  const key = `${lang}${zone.id}`;
  let format = timeFormats.get(key);
  if (format === undefined) {
    format = new Intl.DateTimeFormat(languageInfo(lang).locale, {
      timeZone: zone.id,
      year: "numeric",
      month: "short",
      day: "numeric",
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
    });
    timeFormats.set(key, format);
  }
  return `${format.format(at)}${languageInfo(lang).aside.join(zone.name)}`;
}

/** A day (`2026-11-21`) or a month (`2026-11`) as people write it. */
export function periodText(lang: Language, period: string): string {
  const parts = period.length > 7 ? ({ month: "short", day: "numeric" } as const) : ({ month: "long" } as const);
  return new Intl.DateTimeFormat(languageInfo(lang).locale, { timeZone: "UTC", year: "numeric", ...parts }).format(new Date(period));
}
