import { createHmac } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import type { GatewayAccount, GatewayCall } from "#gateways/index.ts";
import { received, type SimulatedWorld, simulatedWorld } from "#test/support/gateways/simulated/simulated-world.ts";
import { btcpay } from "./adapter.ts";
import { openStore } from "./simulator/store.ts";
import { btcpaySimulator as simulator } from "./simulator.ts";

const reference = "ps_00000000000000000000000001";
let world: SimulatedWorld;
let account: GatewayAccount;
let call: GatewayCall;
beforeEach(async () => {
  world = simulatedWorld();
  account = btcpay.open(await simulator.openAccount(world, "shop"), { livemode: false });
  call = world.call(simulator);
  await account.create(call, {
    reference,
    amount: { amount_minor: 1_234, currency: "EUR" },
    title: "Tea",
    notifyUrl: "https://shop.test/hook",
    returnUrl: "https://shop.test/pay/token",
    cancelUrl: "https://shop.test/pay/token",
    expiresAt: new Date(world.now().getTime() + 3_600_000),
    buyer: { ip: null, locale: "en", device: "desktop", openid: null },
    metadata: {},
  });
  await simulator.simulate(world, { reference, outcome: "paid" });
});

const event = async (over: Record<string, unknown> = {}) => {
  const callback = await simulator.callbackOf(world, reference);
  return JSON.stringify({ ...JSON.parse(callback.body), ...over });
};
const verify = async (body: string, { signature, method = "POST" }: { signature?: string; method?: string } = {}) => {
  const { webhookSecret } = await openStore(world, "shop");
  const header = signature ?? `sha256=${createHmac("sha256", webhookSecret).update(body).digest("hex")}`;
  return account.verify(call, {
    ...received({ url: "https://shop.test/hook", headers: { "BTCPay-Sig": header }, body }, world.now()),
    method,
  });
};

test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
  ["of an invoice says to ask", {}, { ok: true, event: "InvoiceSettled", report: { kind: "ask", about: { reference } } }],
  [
    "of an invoice of somebody else's making says to ask by its id",
    { metadata: {}, invoiceId: "x" },
    { ok: true, report: { kind: "ask", about: { reference: null, providerId: "x" } } },
  ],
  ["of a mark by hand is no money", { manuallyMarked: true }, { ok: true, report: { kind: "ask" } }],
  [
    "of a payout says nothing",
    { type: "PayoutUpdated", invoiceId: undefined, metadata: undefined },
    { ok: true, report: { kind: "nothing" } },
  ],
  [
    "that is sent again has the first one's id",
    { deliveryId: "new", originalDeliveryId: "first", isRedelivery: true },
    { ok: true, dedupeKey: "first" },
  ],
  [
    "of an old version, misspelt, has the first one's id",
    { deliveryId: "new", originalDeliveryId: undefined, orignalDeliveryId: "first" },
    { ok: true, dedupeKey: "first" },
  ],
  ["without a first one has its own id", { deliveryId: "own", originalDeliveryId: undefined }, { ok: true, dedupeKey: "own" }],
  ["of another store is refused", { storeId: "another" }, { ok: false, reason: "unknown_key" }],
  ["without an id is refused", { deliveryId: undefined, originalDeliveryId: undefined }, { ok: false, reason: "malformed" }],
  ["without a type is refused", { type: 7 }, { ok: false, reason: "malformed" }],
])("a callback %s", async (_what, over, verdict) => {
  expect(await verify(await event(over))).toMatchObject(verdict);
});

test("a callback that is sent by GET, isn't an object or is signed for other bytes is refused", async () => {
  const body = await event();
  expect(await verify(body, { method: "GET" })).toEqual({ ok: false, reason: "unsupported" });
  expect(await verify("[]")).toEqual({ ok: false, reason: "malformed" });
  expect(await verify(`{"x":${"[".repeat(100_000)}`)).toEqual({ ok: false, reason: "malformed" });
  const { headers } = await simulator.callbackOf(world, reference);
  expect(await verify(`${body} `, { signature: headers["BTCPay-Sig"] ?? "" })).toEqual({ ok: false, reason: "signature" });
});

test.each([
  ["stored", 200],
  ["failed", 503],
  ["signature", 400],
] as const)("a callback that is %s gets %i, because 4xx would never be sent again", (outcome, status) => {
  expect(btcpay.answer(outcome).status).toBe(status);
});
