import type { GatewayAdapter } from "#gateways/index.ts";

/** The payment providers, in the order in which buyers see them. A gateway adds its adapter here, and appears everywhere. */
export const gateways: readonly GatewayAdapter[] = [];
