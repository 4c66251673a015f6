import { beforeEach, describe, expect, test } from "vitest";
import { gatewayContract } from "#test/support/gateways/contract/gateway-contract.ts";
import { eur, type MollieShop, openShop, paying, payment, reference } from "#test/support/gateways/simulated/mollie-shop.ts";
import { mollie } from "./adapter.ts";
import { mollieSimulator } from "./simulator.ts";
import { facts } from "./testing/facts.ts";

gatewayContract({ adapter: mollie, simulator: mollieSimulator, ...facts });

let shop: MollieShop;
beforeEach(async () => {
  shop = await openShop();
});

const change = async (id: string | null, over: object) =>
  shop.world.documents.put("payment", id ?? "", { ...(await shop.world.documents.get<object>("payment", id ?? "")), ...over });

describe("the request for a payment", () => {
  test("specifies the amount, the payer and the return page, and a UUID that is the same for the same reference", async () => {
    const { created } = await paying(shop);
    await shop.account.create(shop.call, payment(shop.world));
    const [first, second] = shop.requests;
    expect(first).toMatchObject({ method: "POST", path: "/v2/payments" });
    expect(first?.headers.get("idempotency-key")).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(second?.headers.get("idempotency-key")).toBe(first?.headers.get("idempotency-key"));
    expect(first?.body).toEqual({
      amount: { currency: "EUR", value: "12.34" },
      description: "Two pots of tea",
      redirectUrl: "https://shop.test/pay/token",
      cancelUrl: "https://shop.test/pay/token?canceled=1",
      webhookUrl: "https://shop.test/api/payments/mollie/webhook/gc_1",
      locale: "nl_NL",
      metadata: { reference: "INV-1001", tillpost_reference: reference },
    });
    expect(created.action).toEqual({
      type: "redirect",
      url: expect.stringMatching(/^https:\/\/simulator\.test\/checkout\/select-method\//),
    });
    expect(created.actionExpiresAt).toEqual(new Date(shop.world.now().getTime() + 900_000));
  });

  test.each([
    ["en", "en_US"],
    ["en-GB", "en_GB"],
    ["de-at", "de_AT"],
    ["fr-CA", "fr_FR"],
    ["no", "nb_NO"],
    ["zh-CN", undefined],
    ["", undefined],
  ])("requests the page in a language that Mollie has: %s as %s", async (locale, expected) => {
    await shop.account.create(shop.call, payment(shop.world, { buyer: { ip: null, locale, device: "desktop", openid: null } }));
    expect(shop.requests[0]?.body["locale"]).toBe(expected);
  });

  test.each([
    [eur(100), "1.00"],
    [{ amount_minor: 100, currency: "JPY" }, "100"],
    [{ amount_minor: 100, currency: "ISK" }, "100"],
    [{ amount_minor: 80_045, currency: "TWD" }, "800.45"],
  ])("writes %j as %s, with exactly the currency's decimals", async (amount, value) => {
    const created = await shop.account.create(shop.call, payment(shop.world, { amount }));
    expect(shop.requests[0]?.body["amount"]).toEqual({ currency: amount.currency, value });
    expect(created.asked).toEqual(amount);
  });

  test("omits the callbacks if Mollie can't reach us, unless it is simulated on the same machine", async () => {
    const notifyUrl = "http://localhost:8080/api/payments/mollie/webhook/gc_1";
    await shop.account.create(shop.call, payment(shop.world, { notifyUrl }));
    expect(shop.requests[0]?.body).not.toHaveProperty("webhookUrl");
    const near = { ...shop.call, baseUrl: "http://127.0.0.1:8080" };
    await shop.account.create(near, payment(shop.world, { notifyUrl, reference: "ps_00000000000000000000000043" }));
    expect(shop.requests[1]?.body["webhookUrl"]).toBe(notifyUrl);
  });

  test("repeated with another amount is a conflict", async () => {
    await paying(shop);
    await expect(shop.account.create(shop.call, payment(shop.world, { amount: eur(1_235) }))).rejects.toMatchObject({
      kind: "conflict",
      code: "other_amount",
    });
  });

  describe("that was made before", () => {
    const again = (providerId: string | null) => shop.account.create(shop.call, payment(shop.world, { earlier: { providerId } }));
    const posted = () => shop.requests.filter(({ method }) => method === "POST").length;

    test.each([
      ["by Mollie's id", (id: string | null) => id],
      ["by our reference, if that id never arrived", () => null],
    ])("gives the same payment after Mollie forgot the key: %s", async (_how, known) => {
      const { created } = await paying(shop);
      const expiresAt = shop.world.now().getTime() + 12 * 86_400_000;
      await change(created.providerId, { method: "banktransfer", expiresAt });
      shop.world.pass(3_700);
      expect(await again(known(created.providerId))).toMatchObject({ providerId: created.providerId, action: created.action });
      expect(posted()).toBe(1);
    });

    test.each([
      ["paid", "already_paid"],
      ["processing", "already_paid"],
      ["expired", "conflict"],
      ["declined", "conflict"],
    ] as const)("and whose payment is %s by now is %s", async (outcome, kind) => {
      const { key } = await paying(shop, outcome);
      await expect(again(key.providerId)).rejects.toMatchObject({ kind });
      expect(posted()).toBe(1);
    });

    test("creates the payment if Mollie never got it", async () => {
      expect(await again(null)).toMatchObject({ state: "pending" });
      expect(posted()).toBe(1);
    });
  });

  test("that Mollie refuses is reported with the field that it specifies", async () => {
    const refused = shop.account.create(shop.call, payment(shop.world, { amount: { amount_minor: 100, currency: "CNY" } }));
    await expect(refused).rejects.toMatchObject({ kind: "invalid", code: "amount.currency" });
  });

  test("that exceeds the rate limit reports when to retry", async () => {
    await mollieSimulator.breakNext(shop.world, "rate_limited");
    await expect(shop.account.create(shop.call, payment(shop.world))).rejects.toMatchObject({ kind: "rate_limited", retryAfter: 3 });
  });
});

test("forints are accepted up to a card's limit of 10,000 euros, and more", () => {
  const { maxMinor } = mollie.manifest.limits;
  expect(maxMinor("HUF")).toBeGreaterThan(10_000 * 450 * 100);
  expect(maxMinor("EUR")).toBe(100_000_000);
});

describe("a payment", () => {
  test("whose response was lost is found among many by its reference, and canceled", async () => {
    await mollieSimulator.breakNext(shop.world, "lost_answer");
    await expect(shop.account.create(shop.call, payment(shop.world))).rejects.toMatchObject({ kind: "unknown_outcome" });
    for (let index = 0; index < 260; index += 1) {
      await shop.account.create(shop.call, payment(shop.world, { reference: `ps_other${String(index).padStart(21, "0")}` }));
    }
    const key = { reference, providerId: null };
    expect(await shop.account.query(shop.call, key)).toMatchObject({ reference, state: "pending" });
    expect(await shop.account.close?.(shop.call, key)).toBe("closed");
  });

  test.each<[string, object]>([
    ["a page whose last payment has no date", { createdAt: undefined }],
    ["a page with something else among its payments", { resource: "order" }],
  ])("isn't reported as unknown because of %s, if there are more pages", async (_what, over) => {
    await paying(shop);
    const fetch: typeof shop.call.fetch = async (input, init) => {
      const list = (await (await shop.call.fetch(input, init)).json()) as { _embedded: { payments: object[] } };
      const payments = list._embedded.payments.map((one) => ({ ...one, metadata: null, ...over }));
      return Response.json({
        ...list,
        _embedded: { payments },
        _links: { next: { href: "https://api.mollie.com/v2/payments?from=tr_1" } },
      });
    };
    const query = shop.account.query({ ...shop.call, fetch }, { reference, providerId: null });
    await expect(query).rejects.toMatchObject({ kind: "unavailable", code: "malformed_answer" });
  });

  test("that a buy-now-pay-later provider only authorized isn't paid", async () => {
    const { key } = await paying(shop);
    await change(key.providerId, { status: "authorized", amountCaptured: { currency: "EUR", value: "0.00" } });
    expect(await shop.account.query(shop.call, key)).toMatchObject({ state: "processing", paid: null, paidAt: null });
  });

  // Mollie's published example of a partially captured payment has the status `paid`.
  test.each([
    ["8.00", 800],
    ["12.34", 1_234],
  ])("of which the merchant captured %s is paid with that", async (value, minor) => {
    const { key } = await paying(shop, "paid");
    await change(key.providerId, { amountCaptured: { currency: "EUR", value } });
    expect(await shop.account.query(shop.call, key)).toMatchObject({ state: "succeeded", asked: eur(1_234), paid: eur(minor) });
  });

  test("that doesn't exist can't be closed: it is absent", async () => {
    expect(await shop.account.close?.(shop.call, { reference, providerId: null })).toBe("absent");
    expect(await shop.account.close?.(shop.call, { reference, providerId: "tr_nobody" })).toBe("absent");
  });

  test.each([
    ["expired", "closed"],
    ["canceled", "closed"],
    ["processing", "already_paid"],
    ["paid", "already_paid"],
  ] as const)("that is %s is %s when it should be closed", async (outcome, expected) => {
    const { key } = await paying(shop, outcome);
    expect(await shop.account.close?.(shop.call, key)).toBe(expected);
  });

  test("that the buyer has started to pay at a bank can't be closed, and isn't reported as closed", async () => {
    const { key } = await paying(shop);
    await change(key.providerId, { method: "ideal" });
    await expect(shop.account.close?.(shop.call, key)).rejects.toMatchObject({ kind: "conflict", code: "not_cancelable" });
  });

  test("that isn't paid within Mollie's own time has expired", async () => {
    const { key } = await paying(shop);
    shop.world.pass(901);
    expect(await shop.account.query(shop.call, key)).toMatchObject({ state: "expired", paid: null });
  });

  test("that was approved at the bank and then refused has failed, with the reason", async () => {
    const { key } = await paying(shop, "processing", "declined");
    expect(await shop.account.query(shop.call, key)).toMatchObject({ state: "failed", failure: { code: "insufficient_funds" } });
  });

  test("includes its chargebacks, and what was reversed", async () => {
    const { key } = await paying(shop, "paid");
    expect((await shop.account.query(shop.call, key)).disputes).toEqual([]);
    await mollieSimulator.simulate(shop.world, { reference, outcome: "disputed" });
    const opened = {
      providerDisputeId: expect.stringMatching(/^chb_/),
      payment: { reference, providerId: key.providerId, captureId: null },
      state: "opened",
      amount: eur(1_234),
      reason: "AC06",
      occurredAt: shop.world.now(),
    };
    expect((await shop.account.query(shop.call, key)).disputes).toEqual([opened]);
    shop.world.pass(60);
    await mollieSimulator.simulate(shop.world, { reference, outcome: "dispute_won" });
    expect((await shop.account.query(shop.call, key)).disputes).toEqual([{ ...opened, state: "won", occurredAt: shop.world.now() }]);
  });
});
