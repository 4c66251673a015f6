import { wireAmounts } from "#gateways/index.ts";

/** BTCPay Server stores amounts of these currencies without decimals. */
export const amounts = wireAmounts({ decimals: { ARS: 0, COP: 0 } });
