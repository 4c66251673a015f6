import { expect } from "vitest";
import {
  type GatewayAccount,
  type GatewayAdapter,
  GatewayError,
  type NewGatewayPayment,
  type ProviderSimulator,
  type SimulatedOutcome,
} from "#gateways/index.ts";
import { type SimulatedWorld, simulatedWorld } from "#test/support/gateways/simulated/simulated-world.ts";
import type { ProviderFacts } from "./provider-facts.ts";

export interface GatewayUnderTest extends ProviderFacts {
  adapter: GatewayAdapter;
  simulator: ProviderSimulator;
}
let made = 0;
/** An id in the rooms' format, without their clock. */
export const nextId = (prefix: string) => `${prefix}_${String((made += 1)).padStart(26, "0")}`;

/** An account with its own provider. */
export interface Shop {
  world: SimulatedWorld;
  account: GatewayAccount;
  fields: Record<string, string>;
  call: ReturnType<SimulatedWorld["call"]>;
}

/** A payment that was created there, and its outcome. */
type Paying = Awaited<ReturnType<ReturnType<typeof openShops>["paying"]>>;

/** Creates shops and payments of one gateway. */
export function openShops({ adapter, simulator, amount }: GatewayUnderTest) {
  const { slug } = simulator;
  const open = async (): Promise<Shop> => {
    const world = simulatedWorld();
    const fields = await simulator.openAccount(world, "shop");
    return { world, fields, account: adapter.open(fields, { livemode: false }), call: world.call(simulator) };
  };
  const payment = (world: SimulatedWorld, over: Partial<NewGatewayPayment> = {}): NewGatewayPayment => ({
    reference: nextId("ps"),
    amount,
    title: 'Two pots of tea & "honey" 50% + more 茶',
    notifyUrl: `https://shop.test/api/payments/${slug}/webhook/${nextId("gc")}`,
    returnUrl: "https://shop.test/pay/pl_test_token?from=provider&x=1",
    cancelUrl: "https://shop.test/pay/pl_test_token?canceled=1",
    expiresAt: new Date(world.now().getTime() + 3_600_000),
    buyer: { ip: "203.0.113.7", locale: "en", device: "desktop", openid: null },
    metadata: { order_id: nextId("ord"), reference: "INV-1001" },
    ...over,
  });
  const paying = async (outcome: SimulatedOutcome | null, over: Partial<NewGatewayPayment> = {}) => {
    const shop = await open();
    const request = payment(shop.world, over);
    const created = await shop.account.create(shop.call, request);
    const key = { reference: request.reference, providerId: created.providerId };
    if (outcome !== null) await simulator.simulate(shop.world, { reference: request.reference, outcome });
    return { ...shop, request, created, key };
  };
  return { open, payment, paying };
}

/** The payment as its provider reports it, captured if the provider waits for that. */
export const queried = async ({ account, call, key }: Paying) => {
  const snapshot = await account.query(call, key);
  return snapshot.state === "processing" && account.capture !== null ? account.capture(call, key) : snapshot;
};

/** The error that a call ends with. */
export const errorOf = async (promise: Promise<unknown>): Promise<GatewayError> => {
  const error = await promise.then(
    () => new Error("it went through"),
    (fault: unknown) => fault,
  );
  expect(error).toBeInstanceOf(GatewayError);
  return error as GatewayError;
};
