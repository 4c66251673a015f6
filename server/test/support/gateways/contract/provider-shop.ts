import type {
  GatewayAccount,
  GatewayAdapter,
  GatewayAmount,
  GatewayCall,
  NewGatewayPayment,
  NewGatewayRefund,
  ProviderSimulator,
} from "#gateways/index.ts";
import { type SimulatedWorld, simulatedWorld } from "#test/support/gateways/simulated/simulated-world.ts";

let made = 0;

/** An id of ours as gateways see them: 29 characters. */
export const newReference = (prefix: "ps" | "rf") => `${prefix}_${String((made += 1)).padStart(26, "0")}`;

/** A merchant with an account at a simulated provider. */
export interface GatewayShop {
  world: SimulatedWorld;
  account: GatewayAccount;
  fields: Record<string, string>;
  call: GatewayCall;
  /** The account's requests in the order in which they were sent: method and URL without the host. */
  readonly requests: string[];
  payment(amount: GatewayAmount, over?: Partial<NewGatewayPayment>): NewGatewayPayment;
  refund(of: { reference: string; providerId: string | null; captureId: string | null }, amount: GatewayAmount): NewGatewayRefund;
}

/** Opens a shop whose callbacks go to `https://shop.test/callbacks`. */
export async function openGatewayShop(adapter: GatewayAdapter, simulator: ProviderSimulator): Promise<GatewayShop> {
  const world = simulatedWorld();
  const fields = await simulator.openAccount(world, "shop");
  const notifyUrl = "https://shop.test/callbacks";
  await simulator.enterCallbackUrl?.(world, { account: "shop", url: notifyUrl });
  const requests: string[] = [];
  const call = world.call(simulator);
  const fetch: typeof globalThis.fetch = (input, init) => {
    const request = new Request(input, init);
    requests.push(`${request.method} ${request.url.replace(world.origin, "")}`);
    return call.fetch(request);
  };
  return {
    world,
    fields,
    requests,
    account: adapter.open(fields, { livemode: false }),
    call: { ...call, fetch },
    payment: (amount, over = {}) => ({
      reference: newReference("ps"),
      amount,
      title: "Two pots of tea",
      notifyUrl,
      returnUrl: "https://shop.test/pay/pl_1",
      cancelUrl: "https://shop.test/pay/pl_1?canceled=1",
      expiresAt: new Date(world.now().getTime() + 3_600_000),
      buyer: { ip: null, locale: "en", device: "desktop", openid: null },
      metadata: {},
      ...over,
    }),
    refund: ({ reference, providerId, captureId }, amount) => ({
      reference,
      providerId,
      captureId,
      refundReference: newReference("rf"),
      amount,
      total: amount,
      reason: null,
      notifyUrl,
    }),
  };
}
