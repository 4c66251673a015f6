import { beforeEach, describe, expect, test } from "vitest";
import { type GatewayAccount, type GatewayCall, GatewayError, type NewGatewayPayment } from "#gateways/index.ts";
import { gatewayContract } from "#test/support/gateways/contract/gateway-contract.ts";
import { type SimulatedWorld, simulatedWorld } from "#test/support/gateways/simulated/simulated-world.ts";
import { btcpay } from "./adapter.ts";
import { openStore, type SimulatedInvoice, saveInvoice } from "./simulator/store.ts";
import { btcpaySimulator as simulator } from "./simulator.ts";
import { facts } from "./testing/facts.ts";

const amount = { amount_minor: 1_234, currency: "EUR" };

gatewayContract({ adapter: btcpay, simulator, ...facts });

const reference = "ps_00000000000000000000000001";
const key = { reference, providerId: null };
let world: SimulatedWorld;
let account: GatewayAccount;
let call: GatewayCall;
let requests: string[];
beforeEach(async () => {
  world = simulatedWorld();
  account = btcpay.open(await simulator.openAccount(world, "shop"), { livemode: false });
  requests = [];
  call = { ...world.call(simulator), fetch: (input, init) => watch(new Request(input, init)) };
});
const watch = (request: Request) => {
  requests.push(`${request.method} ${new URL(request.url).pathname}`);
  return simulator.handle(world, request);
};
const newPayment = (over: Partial<NewGatewayPayment> = {}): NewGatewayPayment => ({
  reference,
  amount,
  title: "Tea",
  notifyUrl: "https://shop.test/hook",
  returnUrl: "https://shop.test/pay/token?x=1",
  cancelUrl: "https://shop.test/pay/token",
  expiresAt: new Date(world.now().getTime() + 3_600_000),
  buyer: { ip: null, locale: "en", device: "desktop", openid: null },
  metadata: { order_id: "ord_1" },
  ...over,
});
const invoices = () => world.documents.list<SimulatedInvoice>("invoice");
const errorOf = async (promise: Promise<unknown>): Promise<GatewayError> => {
  const error = await promise.then(
    () => null,
    (one: unknown) => one,
  );
  expect(error).toBeInstanceOf(GatewayError);
  return error as GatewayError;
};
/** A second invoice with the same reference, as created by a request that is carried out long after its caller gave up. */
const anotherInvoice = async () => {
  const [first] = await invoices();
  if (first === undefined) throw new Error("no invoice");
  return saveInvoice(world, { ...first, id: "second", createdAt: first.createdAt + 60 });
};
/** Answers of a server that is not ours. */
const answering = (answer: (request: Request) => Response): GatewayCall => ({
  ...call,
  fetch: async (input, init) => answer(new Request(input, init)),
});

describe("an invoice", () => {
  test("whose response was lost is found again, and no other is created", async () => {
    await simulator.breakNext(world, "lost_answer");
    expect(await errorOf(account.create(call, newPayment()))).toMatchObject({ kind: "unknown_outcome", code: "connection" });
    const created = await account.create(call, newPayment());
    expect(created).toMatchObject({ state: "pending", action: { type: "redirect", url: expect.stringContaining("/i/") } });
    expect(await invoices()).toHaveLength(1);
    expect(requests.filter((one) => one.startsWith("POST"))).toHaveLength(1);
  });

  test("requests exactly the price, with no tolerance, until the payment's end", async () => {
    const sent: unknown[] = [];
    const keep: GatewayCall["fetch"] = (input, init) => {
      sent.push(init?.body);
      return call.fetch(input, init);
    };
    const watchedCall = { ...call, fetch: keep };
    const { actionExpiresAt } = await account.create(watchedCall, newPayment({ expiresAt: new Date(world.now().getTime() + 630_000) }));
    expect(JSON.parse(String(sent[1]))).toEqual({
      amount: "12.34",
      currency: "EUR",
      metadata: { orderId: reference, itemDesc: "Tea", details: { order_id: "ord_1" } },
      checkout: { expirationMinutes: 10, paymentTolerance: 0, redirectURL: "https://shop.test/pay/token?x=1", redirectAutomatically: true },
    });
    expect(actionExpiresAt).toEqual(new Date("2026-11-20T08:10:00.000Z"));
  });

  test.each([
    ["JPY", 1_234, "1234"],
    ["KWD", 1_234, "1.234"],
    ["ARS", 1_200, "12"],
  ])("in %s is written with its decimals", async (currency, amount_minor, price) => {
    await account.create(call, newPayment({ amount: { amount_minor, currency } }));
    const snapshot = await account.query(call, key);
    expect(snapshot.asked).toEqual({ amount_minor, currency });
    expect((await invoices())[0]?.price).toBe(Number(price) * 10_000);
  });

  test("of a part of a peso can't be requested, and no request is sent", async () => {
    expect(await errorOf(account.create(call, newPayment({ amount: { amount_minor: 1_234, currency: "ARS" } })))).toMatchObject({
      kind: "invalid",
      code: "amount",
    });
    expect(requests).toEqual([]);
  });

  test("of another amount, or an expired one, isn't returned again", async () => {
    await account.create(call, newPayment());
    expect(await errorOf(account.create(call, newPayment({ amount: { ...amount, amount_minor: 1 } })))).toMatchObject({
      kind: "conflict",
      code: "other_amount",
    });
    await simulator.simulate(world, { reference, outcome: "expired" });
    expect(await errorOf(account.create(call, newPayment()))).toMatchObject({ kind: "conflict", code: "invoice_expired" });
    await simulator.simulate(world, { reference, outcome: "late" });
    expect(await errorOf(account.create(call, newPayment()))).toMatchObject({ kind: "already_paid", code: "invoice_succeeded" });
  });

  test.each([
    ["overpaid", { state: "succeeded", paid: { ...amount, amount_minor: 1_334 }, providerState: "Settled (PaidOver)" }],
    ["underpaid", { state: "expired", paid: { ...amount, amount_minor: 700 }, providerState: "Expired (PaidPartial)" }],
    ["late", { state: "succeeded", paid: amount, providerState: "Expired (PaidLate)" }],
    ["declined", { state: "failed", paid: null, failure: { code: "not_confirmed" } }],
  ] as const)("that was %s is reported with what was received", async (outcome, expected) => {
    await account.create(call, newPayment());
    await simulator.simulate(world, { reference, outcome });
    expect(await account.query(call, key)).toMatchObject(expected);
  });

  test("that the merchant marks as settled doesn't count as paid", async () => {
    const { providerId } = await account.create(call, newPayment());
    const { storeId, apiKey } = await openStore(world, "shop");
    const init = { method: "POST", headers: { authorization: `token ${apiKey}` }, body: '{"status":"Settled"}' };
    await simulator.handle(world, new Request(`${world.origin}/api/v1/stores/${storeId}/invoices/${providerId}/status`, init));
    expect(await account.query(call, key)).toMatchObject({ state: "failed", paid: null, failure: { code: "marked_settled" } });
  });

  test("that was created twice counts where it was paid", async () => {
    const { providerId } = await account.create(call, newPayment());
    const second = await anotherInvoice();
    expect(await account.query(call, key)).toMatchObject({ state: "pending", providerId });
    await saveInvoice(world, {
      ...second,
      status: "Settled",
      payments: [{ id: "p", value: second.price, at: second.createdAt, status: "Settled" }],
    });
    expect(await account.query(call, { reference, providerId })).toMatchObject({ state: "succeeded", providerId: "second", paid: amount });
    expect(await account.close?.(call, key)).toBe("already_paid");
    expect((await invoices()).map(({ status }) => status)).toEqual(["Invalid", "Settled"]);
  });

  test("that the list lacks is found by its id, on servers of either kind of path", async () => {
    const { providerId } = await account.create(call, newPayment());
    const old = answeringOnly((path) => !path.includes("/stores/") || path.includes("payment-methods"));
    expect(await account.query(old, { reference, providerId })).toMatchObject({ state: "pending", providerId });
    expect(requests.slice(-2)).toEqual([
      expect.stringMatching(/^GET \/api\/v1\/stores\/\w+\/invoices\/\w+$/),
      `GET /api/v1/invoices/${providerId}`,
    ]);
  });
  /** A server with an empty list that only knows some paths. */
  const answeringOnly = (isKnown: (path: string) => boolean): GatewayCall => ({
    ...call,
    fetch: async (input, init) => {
      const request = new Request(input, init);
      if (new URL(request.url).search !== "") return Response.json([]);
      const answer = await watch(request);
      return isKnown(new URL(request.url).pathname) ? answer : new Response("", { status: 404 });
    },
  });
});

describe("closing", () => {
  test("an invoice on which a part was paid leaves it open, and says to query it", async () => {
    await account.create(call, newPayment());
    const [open] = await invoices();
    if (open === undefined) throw new Error("no invoice");
    await saveInvoice(world, {
      ...open,
      exception: "PaidPartial",
      payments: [{ id: "p", value: 10_000, at: open.createdAt, status: "Processing" }],
    });
    expect(await account.close?.(call, key)).toBe("already_paid");
    expect(requests.filter((one) => one.endsWith("/status"))).toEqual([]);
  });

  test("an invoice that is paid at that moment says to query it", async () => {
    await account.create(call, newPayment());
    const racing: GatewayCall["fetch"] = async (input, init) => {
      const request = new Request(input, init);
      if (request.url.endsWith("/status")) await simulator.simulate(world, { reference, outcome: "paid" });
      return watch(request);
    };
    expect(await account.close?.({ ...call, fetch: racing }, key)).toBe("already_paid");
    expect(await account.query(call, key)).toMatchObject({ state: "succeeded" });
  });

  test("is safe to repeat, reports a missing invoice, and later coins are late money", async () => {
    expect(await account.close?.(call, key)).toBe("absent");
    await account.create(call, newPayment());
    expect(await account.close?.(call, key)).toBe("closed");
    expect(await account.close?.(call, key)).toBe("closed");
    expect(await account.query(call, key)).toMatchObject({ state: "canceled", paid: null });
    await simulator.simulate(world, { reference, outcome: "late" });
    expect(await account.query(call, key)).toMatchObject({ state: "succeeded", paid: amount });
  });
});

describe("a response", () => {
  test.each([
    ["a page", () => new Response("<html></html>"), "unavailable", "malformed_answer"],
    ["an object in place of a list", () => Response.json({}), "unavailable", "malformed_answer"],
    ["a list of other things", () => Response.json([{ id: 1 }]), "unavailable", "malformed_answer"],
    ["a redirect", () => new Response(null, { status: 302, headers: { location: "https://elsewhere.test" } }), "unavailable", "http_302"],
    ["a wrong key", () => Response.json({ code: "unauthenticated", message: "x" }, { status: 401 }), "auth", "unauthenticated"],
    [
      "a key without the right",
      () => Response.json({ code: "missing-permission", message: "x" }, { status: 403 }),
      "auth",
      "missing-permission",
    ],
    ["a server that is away", () => new Response("", { status: 502 }), "unavailable", "http_502"],
  ])("of %s is never the end of a payment", async (_what, answer, kind, code) => {
    expect(await errorOf(account.query(answering(answer), key))).toMatchObject({ kind, code });
  });

  test.each([
    ["a page", () => new Response("<html></html>"), "unknown_outcome", "malformed_answer"],
    [
      "an invoice of something else",
      () => Response.json({ id: "1", status: "New", amount: "12.34", currency: "EUR", metadata: { orderId: "ps_2" } }),
      "unknown_outcome",
      "malformed_answer",
    ],
    ["a server error", () => Response.json({}, { status: 500 }), "unknown_outcome", "http_500"],
    ["a refused value", () => Response.json([{ path: "currency", message: "Invalid currency" }], { status: 422 }), "invalid", "validation"],
    ["too many requests", () => new Response("", { status: 429, headers: { "retry-after": "7" } }), "rate_limited", "http_429"],
  ])("of %s to a new invoice is recognized", async (_what, answer, kind, code) => {
    const first = answering((request) => (request.method === "GET" ? Response.json([]) : answer()));
    expect(await errorOf(account.create(first, newPayment()))).toMatchObject({ kind, code });
  });

  test("that there is no such store shows in the check of the account", async () => {
    const none = answering(() => new Response("", { status: 404 }));
    expect(await errorOf(account.check?.(none) ?? Promise.resolve())).toMatchObject({ kind: "auth" });
  });

  test("never reveals the key, whatever the server repeats", async () => {
    const { apiKey } = await openStore(world, "shop");
    const error = await errorOf(
      account.query(
        answering((request) => Response.json({ code: request.headers.get("authorization") }, { status: 400 })),
        key,
      ),
    );
    expect(JSON.stringify({ ...error, message: error.message })).not.toContain(apiKey);
  });
});

describe("the simulator's webhook", () => {
  test("is sent to the URL that the merchant entered, and not before", async () => {
    await account.create(call, newPayment());
    expect(world.sent).toEqual([]);
    await simulator.enterCallbackUrl?.(world, { account: "shop", url: "https://shop.test/hook/gc_1" });
    await simulator.simulate(world, { reference, outcome: "duplicate" });
    expect(world.sent.map(({ url }) => url)).toEqual(Array.from({ length: 3 }, () => "https://shop.test/hook/gc_1"));
  });
});
