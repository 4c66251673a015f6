import { wireAmounts } from "#gateways/index.ts";
import { currencyExponent } from "#platform/index.ts";

/** Where Stripe's minor units are not those of ISO 4217: ariary without decimals, crowns of Iceland and shillings of Uganda with two that must be 0. */
const decimals: Readonly<Record<string, number>> = { MGA: 0, ISK: 2, UGX: 2 };

/** Stripe's own number of decimals of a currency. */
export function stripeDecimals(currency: string): number {
  return decimals[currency] ?? currencyExponent(currency);
}

/** Amounts as Stripe writes them. Of three decimals it wants the last to be 0. */
export const stripeAmounts = wireAmounts({ decimals, lastDigitZero: ["BHD", "JOD", "KWD", "OMR", "TND"] });
