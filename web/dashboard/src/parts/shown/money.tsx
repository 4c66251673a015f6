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

/** Digits, in groups or not, and decimals after the point or comma. */
const shapes = [/^(\d{1,11})(?:[.,](\d+))?$/, /^(\d{1,3}(?:,\d{3})+)(?:\.(\d+))?$/, /^(\d{1,3}(?:\.\d{3})+),(\d+)$/];

/**
 * A typed amount in minor units; null if it isn't one, or could be two: "1,234" of a currency with three decimals. In many regions a
 * phone's keypad only has a comma, so "99,50" is the same as "99.50". No fraction is rounded away.
 */
export function parseAmount(text: string, currency: string): number | null {
  const exponent = exponentOf(currency);
  const readings = new Set(shapes.flatMap((shape) => readAs(shape, text.trim(), exponent)));
  const [minor = 0] = readings;
  return readings.size === 1 && minor > 0 ? minor : null;
}

function readAs(shape: RegExp, text: string, exponent: number): number[] {
  const match = shape.exec(text);
  const [, whole = "", fraction = ""] = match ?? [];
  const digits = whole.replaceAll(/[.,]/g, "");
  return match === null || fraction.length > exponent || digits.length > 11 ? [] : [Number(digits + fraction.padEnd(exponent, "0"))];
}
