import type { NewGatewayPayment, SimulatedOutcome } from "#gateways/index.ts";
import { mollie } from "#providers/payment/mollie/adapter.ts";
import { mollieSimulator } from "#providers/payment/mollie/simulator.ts";
import { type SimulatedWorld, simulatedWorld } from "./simulated-world.ts";

/** The payment that these tests are about. */
export const reference = "ps_00000000000000000000000042";

export const eur = (amount_minor: number) => ({ amount_minor, currency: "EUR" });

export interface MollieShop {
  world: SimulatedWorld;
  call: ReturnType<SimulatedWorld["call"]>;
  account: ReturnType<typeof mollie.open>;
  /** Every request that reached the simulated Mollie. */
  requests: { method: string; path: string; body: Record<string, unknown>; headers: Headers }[];
}

/** A shop with its simulated Mollie. */
export async function openShop(): Promise<MollieShop> {
  const world = simulatedWorld();
  const account = mollie.open(await mollieSimulator.openAccount(world, "shop"), { livemode: false });
  const inner = world.call(mollieSimulator);
  const requests: MollieShop["requests"] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const { pathname, search } = new URL(String(input));
    requests.push({
      method: init?.method ?? "",
      path: `${pathname}${search}`,
      body: JSON.parse(String(init?.body ?? "{}")),
      headers: new Headers(init?.headers),
    });
    return inner.fetch(input, init);
  };
  return { world, account, requests, call: { ...inner, fetch } };
}

export function payment(world: SimulatedWorld, over: Partial<NewGatewayPayment> = {}): NewGatewayPayment {
  return {
    reference,
    amount: eur(1_234),
    title: "Two pots of tea",
    notifyUrl: "https://shop.test/api/payments/mollie/webhook/gc_1",
    returnUrl: "https://shop.test/pay/token",
    cancelUrl: "https://shop.test/pay/token?canceled=1",
    expiresAt: new Date(world.now().getTime() + 3_600_000),
    buyer: { ip: null, locale: "nl-NL", device: "desktop", openid: null },
    metadata: { reference: "INV-1001" },
    ...over,
  };
}

/** A payment of the shop, after some outcomes. */
export async function paying(shop: MollieShop, ...outcomes: SimulatedOutcome[]) {
  const created = await shop.account.create(shop.call, payment(shop.world));
  for (const outcome of outcomes) await mollieSimulator.simulate(shop.world, { reference, outcome });
  return { created, key: { reference, providerId: created.providerId } };
}
