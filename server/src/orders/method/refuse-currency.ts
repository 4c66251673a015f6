import { nameIn, type PaymentMethod, takesCurrency } from "#gateways/index.ts";
import { firstLanguage, platformErrors } from "#platform/index.ts";

/** Throws unsupported_currency for a currency that a payment method doesn't support. */
export function refuseCurrency(method: PaymentMethod, given: { currency: string; param: string }): void {
  const { names, currencies } = method;
  if (currencies === "any" || takesCurrency(method, given.currency)) return;
  throw platformErrors.unsupported_currency({
    param: given.param,
    reason: "currency_not_taken",
    values: { allowed: currencies },
    message: `${nameIn(names, firstLanguage)} only accepts ${currencies.join(", ")}.`,
  });
}
