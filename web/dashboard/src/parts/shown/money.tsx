import { useLanguage } from "../../words/language.tsx";
import { exponentOf, moneyFormat, toMajor } from "../../words/money-text.ts";

export { moneyText } from "../../words/money-text.ts";

export interface MoneyProps {
  minor: number;
  currency: string;
  /** Sizes of the type scale; lists use 14. */
  size?: 14 | 16 | 20 | 28 | 40;
  sign?: boolean;
}

/** An amount: the currency smaller than the number, with figures of equal width. */
export function Money({ minor, currency, size = 14, sign = false }: MoneyProps) {
  const { locale } = useLanguage();
  const parts = moneyFormat(locale, currency, sign).formatToParts(toMajor(minor, currency));
  return (
    <span className="money" style={{ fontSize: `var(--size-${size})` }} translate="no">
      {parts.map((part, index) =>
        part.type === "currency" ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts of one number stand in a fixed order
          <span key={index} className="money-sign">
            {part.value}
          </span>
        ) : (
          part.value
        ),
      )}
    </span>
  );
}

/** As a person types it into a field, and as a spreadsheet reads it: "99.00". */
export function amountText(minor: number, currency: string): string {
  return toMajor(minor, currency).toFixed(exponentOf(currency));
}

/** A typed amount in minor units; null if it isn't one. No fraction is rounded away. */
export function parseAmount(text: string, currency: string): number | null {
  const exponent = exponentOf(currency);
  const match = /^(\d{1,11})(?:[.](\d+))?$/.exec(text.trim().replaceAll(",", ""));
  const fraction = match?.[2] ?? "";
  if (match === null || fraction.length > exponent) return null;
  const minor = Number(`${match[1]}${fraction.padEnd(exponent, "0")}`);
  return minor > 0 ? minor : null;
}
