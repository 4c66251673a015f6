import { describe, expect, test } from "vitest";
import { GatewayError } from "#gateways/index.ts";
import { gatewayContract } from "#test/support/gateways/contract/gateway-contract.ts";
import { simulatedWorld } from "#test/support/gateways/simulated/simulated-world.ts";
import { openShop, paidShop, payment, reference } from "#test/support/gateways/simulated/stripe-shop.ts";
import { stripe } from "./adapter.ts";
import { stripeSimulator } from "./simulator.ts";
import { facts } from "./testing/facts.ts";

gatewayContract({ adapter: stripe, simulator: stripeSimulator, ...facts });

describe("the request for a session", () => {
  test("specifies the pinned version, the reference as key, and what the buyer and the merchant read", async () => {
    const shop = await openShop();
    const created = await shop.account.create(
      shop.call,
      payment(shop.world, { buyer: { ip: null, locale: "zh-CN", device: "phone", openid: null } }),
    );
    const request = shop.requests.at(-1);
    expect(request?.headers.get("stripe-version")).toBe("2026-10-28.endive");
    expect(request?.headers.get("idempotency-key")).toBe(reference);
    expect(request?.headers.get("user-agent")).toBe("Tillpost");
    expect(request?.headers.has("x-stripe-client-user-agent")).toBe(false);
    expect(Object.fromEntries(request?.body ?? [])).toEqual({
      mode: "payment",
      client_reference_id: reference,
      "line_items[0][quantity]": "1",
      "line_items[0][price_data][currency]": "eur",
      "line_items[0][price_data][unit_amount]": "1234",
      "line_items[0][price_data][product_data][name]": "Two pots of tea",
      success_url: "https://shop.test/pay/token",
      cancel_url: "https://shop.test/pay/token?canceled=1",
      locale: "zh",
      "adaptive_pricing[enabled]": "false",
      "metadata[reference]": "INV-1001",
      "metadata[tillpost_reference]": reference,
      "payment_intent_data[description]": "Two pots of tea",
      "payment_intent_data[metadata][reference]": "INV-1001",
      "payment_intent_data[metadata][tillpost_reference]": reference,
      expires_at: String(shop.world.now().getTime() / 1_000 + 3_600),
    });
    expect(created.action).toEqual({ type: "redirect", url: expect.stringMatching(/^https:\/\/simulator\.test\/c\/pay\/cs_test_/) });
    expect(created.actionExpiresAt).toBeNull();
  });

  test("has the key of its own account, however many accounts send requests concurrently", async () => {
    const shops = await Promise.all(Array.from({ length: 8 }, () => openShop()));
    await Promise.all(shops.map((shop) => shop.account.create(shop.call, payment(shop.world))));
    const keys = shops.map(({ fields }) => fields["secret_key"]);
    expect(new Set(keys).size).toBe(shops.length);
    expect(shops.map(({ requests }) => requests.map(({ headers }) => headers.get("authorization")))).toEqual(
      keys.map((key) => [`Bearer ${key}`]),
    );
  });

  test.each([
    ["en-US", "en"],
    ["en-gb", "en-GB"],
    ["zh-TW", "zh-TW"],
    ["zh-Hant", "zh-TW"],
    ["zh-Hans-CN", "zh"],
    ["pt-PT", "pt"],
    ["sw", "auto"],
    ["", "auto"],
  ])("requests the page in a language that Stripe has: %s as %s", async (locale, expected) => {
    const shop = await openShop();
    await shop.account.create(shop.call, payment(shop.world, { buyer: { ip: null, locale, device: "desktop", openid: null } }));
    expect(shop.requests.at(-1)?.body.get("locale")).toBe(expected);
  });

  test.each([
    ["a minute", 60, 60 + 1_860],
    ["half an hour", 1_800, 1_800 + 1_860],
    ["31 minutes", 1_860, 1_860],
    ["23 hours", 82_800, 82_800],
  ])("that must end in %s ends no sooner than Stripe allows", async (_name, seconds, expected) => {
    const shop = await openShop();
    await shop.account.create(shop.call, payment(shop.world, { expiresAt: new Date(shop.world.now().getTime() + seconds * 1_000) }));
    expect(shop.requests.at(-1)?.body.get("expires_at")).toBe(String(shop.world.now().getTime() / 1_000 + expected));
  });

  test("that may be open for days ends with Stripe's own 24 hours, and says so", async () => {
    const shop = await openShop();
    const created = await shop.account.create(
      shop.call,
      payment(shop.world, { expiresAt: new Date(shop.world.now().getTime() + 7 * 86_400_000) }),
    );
    expect(shop.requests.at(-1)?.body.has("expires_at")).toBe(false);
    expect(created.actionExpiresAt).toEqual(new Date(shop.world.now().getTime() + 86_400_000));
  });

  test.each([
    ["a little later, when its end is too near for Stripe", 32 * 60, 10 * 60],
    ["a little later, when its end has come within a day", 86_400 + 60, 10 * 60],
  ])("repeated %s finds the same session", async (_name, lifetime, passed) => {
    const shop = await openShop();
    const request = payment(shop.world, { expiresAt: new Date(shop.world.now().getTime() + lifetime * 1_000) });
    const first = await shop.account.create(shop.call, request);
    shop.world.pass(passed);
    expect((await shop.account.create(shop.call, request)).providerId).toBe(first.providerId);
  });

  test("repeated with another amount is a conflict, and nothing is created", async () => {
    const shop = await openShop();
    await shop.account.create(shop.call, payment(shop.world));
    const other = shop.account.create(shop.call, payment(shop.world, { amount: { amount_minor: 1_235, currency: "EUR" } }));
    await expect(other).rejects.toMatchObject({ kind: "conflict", code: "idempotency_error" });
    expect((await shop.library.checkout.sessions.list()).data).toHaveLength(1);
  });

  test("for an amount that Stripe refuses is reported as invalid, with Stripe's code and request", async () => {
    const shop = await openShop();
    const error = await shop.account
      .create(shop.call, payment(shop.world, { amount: { amount_minor: 49, currency: "EUR" } }))
      .catch((fault: unknown) => fault);
    expect(error).toBeInstanceOf(GatewayError);
    expect(error).toMatchObject({ kind: "invalid", code: "amount_too_small", requestId: expect.stringMatching(/^req_/) });
  });
});

describe("a connection that ends", () => {
  test.each(["ECONNRESET", "EPIPE"])("with %s is reported, and the library doesn't send anything again automatically", async (code) => {
    const shop = await openShop();
    let sent = 0;
    const fetch: typeof globalThis.fetch = async () => {
      sent += 1;
      throw Object.assign(new Error("closed"), { code });
    };
    await expect(shop.account.create({ ...shop.call, fetch }, payment(shop.world))).rejects.toMatchObject({
      kind: "unknown_outcome",
      code: "connection",
    });
    expect(sent).toBe(1);
  });

  test("by its time limit is reported as that", async () => {
    const shop = await openShop();
    const fetch: typeof globalThis.fetch = async () => Promise.reject(new DOMException("no answer came in time", "TimeoutError"));
    await expect(shop.account.create({ ...shop.call, fetch }, payment(shop.world))).rejects.toMatchObject({
      kind: "unknown_outcome",
      code: "timeout",
    });
    await expect(shop.account.query({ ...shop.call, fetch }, { reference, providerId: "cs_1" })).rejects.toMatchObject({
      kind: "unavailable",
      code: "timeout",
    });
  });

  test("in the middle of a response may have changed something", async () => {
    const shop = await openShop();
    const fetch: typeof globalThis.fetch = async () =>
      new Response(new ReadableStream({ start: (controller) => controller.error(new TypeError("terminated")) }), { status: 200 });
    await expect(shop.account.create({ ...shop.call, fetch }, payment(shop.world))).rejects.toMatchObject({
      kind: "unknown_outcome",
      code: "connection",
    });
  });

  test.each([
    [
      "too many requests",
      429,
      { error: { type: "invalid_request_error", code: "rate_limit", message: "slow down" } },
      { kind: "rate_limited", retryAfter: 7, isBusy: false },
    ],
    [
      "another request that uses the same object",
      429,
      { error: { type: "invalid_request_error", code: "lock_timeout", message: "This object is in use." } },
      { kind: "rate_limited", retryAfter: 7, isBusy: true },
    ],
    [
      "the same request under way",
      409,
      { error: { type: "idempotency_error", code: "idempotency_key_in_use", message: "wait" } },
      { kind: "unknown_outcome" },
    ],
    ["an answer without an error in it", 500, {}, { kind: "unknown_outcome", code: "malformed_answer" }],
    ["another object", 200, { object: "customer", id: "cus_1" }, { kind: "unknown_outcome", code: "malformed_answer" }],
    ["nothing", 200, null, { kind: "unknown_outcome", code: "malformed_answer" }],
    ["a page elsewhere", 302, { object: "list", data: [] }, { kind: "unknown_outcome", code: "malformed_answer" }],
  ])("with %s is recognized", async (_name, status, answer, expected) => {
    const shop = await openShop();
    const fetch: typeof globalThis.fetch = async () => Response.json(answer, { status, headers: { "retry-after": "7" } });
    await expect(shop.account.create({ ...shop.call, fetch }, payment(shop.world))).rejects.toMatchObject(expected);
  });
});

describe("a session whose response was lost", () => {
  test("is found by its reference among many, newest first, and can be closed", async () => {
    const shop = await openShop();
    await stripeSimulator.breakNext(shop.world, "lost_answer");
    await expect(shop.account.create(shop.call, payment(shop.world))).rejects.toMatchObject({
      kind: "unknown_outcome",
      code: "connection",
    });
    for (let index = 0; index < 120; index += 1) {
      await shop.account.create(shop.call, payment(shop.world, { reference: `ps_other${String(index).padStart(21, "0")}` }));
    }
    const key = { reference, providerId: null };
    expect(await shop.account.query(shop.call, key)).toMatchObject({ reference, state: "pending" });
    expect(await shop.account.close?.(shop.call, key)).toBe("closed");
    expect(await shop.account.query(shop.call, key)).toMatchObject({ state: "expired" });
  });

  test("is definitely unpayable after a day, and no longer searched for", async () => {
    const shop = await openShop();
    await stripeSimulator.breakNext(shop.world, "lost_answer");
    await shop.account.create(shop.call, payment(shop.world)).catch(() => null);
    shop.world.pass(26 * 3_600);
    await expect(shop.account.query(shop.call, { reference, providerId: null })).rejects.toMatchObject({ kind: "not_found" });
    expect(await shop.account.close?.(shop.call, { reference, providerId: null })).toBe("absent");
  });
});

describe("a payment", () => {
  test("that succeeded reports Stripe's fee, in the currency of the balance", async () => {
    const { snapshot, world } = await paidShop();
    expect(snapshot).toMatchObject({
      reference,
      captureId: expect.stringMatching(/^pi_/),
      asked: { amount_minor: 1_234, currency: "EUR" },
      refunded: { amount_minor: 0, currency: "EUR" },
      fee: { amount_minor: 66, currency: "EUR" },
      paidAt: world.now(),
      livemode: false,
      providerState: "complete/paid",
    });
  });

  test("whose bank refuses after days has failed, with the bank's reason", async () => {
    const { account, call, key, world, snapshot } = await paidShop("processing");
    expect(snapshot.state).toBe("processing");
    await stripeSimulator.simulate(world, { reference, outcome: "declined" });
    expect(await account.query(call, key)).toMatchObject({
      state: "failed",
      paid: null,
      failure: { message: "The bank returned the debit." },
    });
  });

  test("that is approved and undecided can't be closed", async () => {
    const { account, call, key } = await paidShop("processing");
    expect(await account.close?.(call, key)).toBe("already_paid");
  });

  test("that was closed before is closed", async () => {
    const shop = await openShop();
    const { providerId } = await shop.account.create(shop.call, payment(shop.world));
    for (let time = 0; time < 2; time += 1) expect(await shop.account.close?.(shop.call, { reference, providerId })).toBe("closed");
  });
});

describe("a base address with a path", () => {
  test("reaches the API behind it", async () => {
    const world = { ...simulatedWorld(), origin: "http://localhost:8080/simulators/stripe" };
    const fields = await stripeSimulator.openAccount(world, "shop");
    const call = {
      ...simulatedWorld().call(stripeSimulator),
      baseUrl: world.origin,
      fetch: (input: string | URL | Request, init?: RequestInit) => stripeSimulator.handle(world, new Request(input, init)),
    };
    const created = await stripe.open(fields, { livemode: false }).create(call, payment(world));
    expect(created.action).toMatchObject({ url: expect.stringMatching(/^http:\/\/localhost:8080\/simulators\/stripe\/c\/pay\/cs_/) });
    const page = await stripeSimulator.handle(world, new Request(created.action.type === "redirect" ? created.action.url : ""));
    expect(await page.text()).toContain("Two pots of tea");
  });
});
