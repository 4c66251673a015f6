import { Stripe } from "stripe";
import type { NewGatewayPayment, RawCallback } from "#gateways/index.ts";
import { stripe } from "#providers/payment/stripe/adapter.ts";
import { stripeSimulator } from "#providers/payment/stripe/simulator.ts";
import { type SimulatedWorld, simulatedWorld } from "./simulated-world.ts";

/** The payment that these tests are about. */
export const reference = "ps_00000000000000000000000042";

export function payment(world: SimulatedWorld, over: Partial<NewGatewayPayment> = {}): NewGatewayPayment {
  return {
    reference,
    amount: { amount_minor: 1_234, currency: "EUR" },
    title: "Two pots of tea",
    notifyUrl: "https://shop.test/api/payments/stripe/webhook/gc_1",
    returnUrl: "https://shop.test/pay/token",
    cancelUrl: "https://shop.test/pay/token?canceled=1",
    expiresAt: new Date(world.now().getTime() + 3_600_000),
    buyer: { ip: null, locale: "en", device: "desktop", openid: null },
    metadata: { reference: "INV-1001" },
    ...over,
  };
}

/** A shop with its simulated Stripe, every request that reached it, and Stripe's own library for the same account. */
export async function openShop(world = simulatedWorld()) {
  const fields = await stripeSimulator.openAccount(world, "shop");
  const requests: { method: string; path: string; body: URLSearchParams; headers: Headers }[] = [];
  const call = world.call(stripeSimulator);
  const watched = {
    ...call,
    fetch: async (input: string | URL | Request, init?: RequestInit) => {
      const { pathname, search } = new URL(input instanceof Request ? input.url : input);
      requests.push({
        method: init?.method ?? "",
        path: `${pathname}${search}`,
        body: new URLSearchParams(String(init?.body ?? "")),
        headers: new Headers(init?.headers),
      });
      return call.fetch(input, init);
    },
  };
  const library = new Stripe(fields["secret_key"] ?? "", {
    httpClient: Stripe.createFetchHttpClient(call.fetch),
    host: "simulator.test",
    maxNetworkRetries: 0,
    telemetry: false,
  });
  return { world, fields, requests, call: watched, account: stripe.open(fields, { livemode: false }), library };
}

/** A shop whose payment was paid, or approved by the buyer of a bank's direct debit. */
export async function paidShop(outcome: "paid" | "processing" = "paid") {
  const shop = await openShop();
  const created = await shop.account.create(shop.call, payment(shop.world));
  await stripeSimulator.simulate(shop.world, { reference, outcome });
  const key = { reference, providerId: created.providerId };
  return { ...shop, created, key, snapshot: await shop.account.query(shop.call, key) };
}

/** A callback with a signature that the test made. */
export function rawCallback(body: string, signature: string, receivedAt: Date): RawCallback {
  const headers = { "stripe-signature": signature };
  return { method: "POST", path: "/api/payments/stripe/webhook/gc_1", headers, body: Buffer.from(body), receivedAt };
}
