import { currencyExponent, decimalOf, maxAmountMinor, minorOf, readCurrency } from "#platform/index.ts";
import { GatewayError } from "./gateway-error.ts";
import type { GatewayAmount } from "./snapshots.ts";

/** How one provider writes amounts. Its decimals may differ: some write Icelandic krónur with two, while ISO 4217 has none. */
export interface WireAmounts {
  /** `12.34`, with as many decimals as the provider uses. Throws `invalid` for an amount that it can't represent. */
  decimal(amount: GatewayAmount): string;
  /** Null for a text that isn't an exact amount of ours. */
  ofDecimal(text: string, currency: string): GatewayAmount | null;
  /** The smallest amount that can be written, in ISO minor units: all others are multiples of it. */
  stepMinor(currency: string): number;
  /** The provider's own minor units. Throws `invalid` for an amount that it can't represent. */
  minor(amount: GatewayAmount): number;
  /** Null for a number that isn't an exact amount of ours. */
  ofMinor(minor: number, currency: string): GatewayAmount | null;
}

/** `decimals`: where the provider differs from ISO 4217. `lastDigitZero`: currencies with three decimals whose last one must be 0. */
export function wireAmounts(given: { decimals?: Readonly<Record<string, number>>; lastDigitZero?: readonly string[] } = {}): WireAmounts {
  const { decimals = {}, lastDigitZero = [] } = given;
  const exponentOf = (currency: string) => decimals[currency] ?? currencyExponent(currency);
  const stepMinor = (currency: string) =>
    10 ** Math.max(0, currencyExponent(currency) - exponentOf(currency) + (lastDigitZero.includes(currency) ? 1 : 0));
  const minor = ({ amount_minor, currency }: GatewayAmount): number => {
    const scaled = scale(amount_minor, exponentOf(currency) - currencyExponent(currency));
    if (scaled === null || amount_minor % stepMinor(currency) !== 0)
      throw new GatewayError("invalid", { code: "amount", message: `This amount in ${currency} can't be paid with this provider.` });
    return scaled;
  };
  const ofMinor = (wire: number, name: string): GatewayAmount | null => {
    const currency = readCurrency(name);
    if (currency === null || !Number.isSafeInteger(wire) || wire < 0) return null;
    const scaled = scale(wire, currencyExponent(currency) - exponentOf(currency));
    return scaled === null || scaled > maxAmountMinor ? null : { amount_minor: scaled, currency };
  };
  return {
    stepMinor,
    minor,
    ofMinor,
    decimal: (amount) => decimalOf(minor(amount), exponentOf(amount.currency)),
    ofDecimal(text, name) {
      const currency = readCurrency(name);
      const wire = currency === null || !/^\d{1,15}(\.\d+)?$/.test(text) ? null : minorOf(text, exponentOf(currency));
      return wire === null ? null : ofMinor(wire, name);
    },
  };
}

/** `value` times 10 to the `places`; null if that isn't an integer. */
function scale(value: number, places: number): number | null {
  if (places >= 0) return value * 10 ** places;
  const divisor = 10 ** -places;
  return value % divisor === 0 ? value / divisor : null;
}
