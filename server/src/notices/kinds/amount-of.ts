import type { OrderRow, RefundRow } from "#orders/index.ts";
import { currencyExponent } from "#platform/index.ts";
import type { Amount } from "./facts.ts";

/** The amount of a refund: money that an exception held may have arrived in another currency than its order's. */
export function amountOf({ amount_minor, currency }: RefundRow, order: OrderRow | null): Amount {
  return { amount_minor, currency, exponent: currency === order?.currency ? order.exponent : currencyExponent(currency) };
}
