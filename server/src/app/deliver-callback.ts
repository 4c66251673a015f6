import type { Gateways } from "#gateways/index.ts";
import { receiveCallback } from "#orders/index.ts";

/** Receives simulated providers' callbacks in the same way as real ones, but without a connection. */
export const deliverCallback: Gateways["deliver"] = async (ctx, callback) => (await receiveCallback(ctx, callback)).answer;
