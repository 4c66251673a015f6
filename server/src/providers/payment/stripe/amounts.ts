import { wireAmounts } from "#gateways/index.ts";
import { currencyExponent } from "#platform/index.ts";

/**
 * Currencies whose minor units at Stripe differ from ISO 4217: ariary without decimals, Icelandic króna and Ugandan shillings with two that
 * must be 0.
 */
const decimals: Readonly<Record<string, number>> = { MGA: 0, ISK: 2, UGX: 2 };

/** Stripe's number of decimals of a currency. */
export function stripeDecimals(currency: string): number {
  return decimals[currency] ?? currencyExponent(currency);
}

/** Amounts in Stripe's format. It requires the last of three decimals to be 0. */
export const stripeAmounts = wireAmounts({ decimals, lastDigitZero: ["BHD", "JOD", "KWD", "OMR", "TND"] });
