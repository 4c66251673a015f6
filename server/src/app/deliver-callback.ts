import type { Gateways } from "#gateways/index.ts";
import { receiveCallback } from "#orders/index.ts";

/** How simulated providers' callbacks come in: as real ones do, without a connection. */
export const deliverCallback: Gateways["deliver"] = async (ctx, callback) => (await receiveCallback(ctx, callback)).answer;
