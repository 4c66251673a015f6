import { personalMethods } from "#collection/index.ts";
import { type GatewayAdapter, listMethods, type PaymentMethods } from "#gateways/index.ts";
import { gateways } from "./gateways.ts";

/** The payment methods, in the order in which buyers see them: personal codes, then each gateway's method. */
export function methodsOf(adapters: readonly GatewayAdapter[]): PaymentMethods {
  return listMethods([...personalMethods, ...adapters.map(({ manifest }) => manifest.method)]);
}

/** The payment methods of this installation. */
export const paymentMethods = methodsOf(gateways);
