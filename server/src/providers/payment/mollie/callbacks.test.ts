import { beforeEach, describe, expect, test } from "vitest";
import { GatewayError } from "#gateways/index.ts";
import { type MollieShop, openShop, paying, reference } from "#test/support/gateways/simulated/mollie-shop.ts";
import { received } from "#test/support/gateways/simulated/simulated-world.ts";
import { mollie } from "./adapter.ts";
import { mollieSimulator } from "./simulator.ts";

let shop: MollieShop;
beforeEach(async () => {
  shop = await openShop();
});

describe("a callback", () => {
  const raw = (body: string) =>
    received({ url: "https://shop.test/api/payments/mollie/webhook/gc_1", headers: {}, body }, shop.world.now());

  test("causes a query about the payment that it identifies, and each one is new", async () => {
    const { created } = await paying(shop, "paid");
    const [callback] = shop.world.sent;
    if (callback === undefined) throw new Error("nothing was sent");
    const first = await shop.account.verify(shop.call, received(callback, shop.world.now()));
    expect(first).toMatchObject({
      ok: true,
      report: { kind: "ask", about: { reference: null, providerId: created.providerId } },
      unproven: created.providerId,
    });
    expect(mollie.hint(received(callback, shop.world.now()))).toEqual({
      account: null,
      keyId: null,
      reference: null,
      providerId: created.providerId,
    });
    shop.world.pass(86_400);
    await mollieSimulator.simulate(shop.world, { reference, outcome: "disputed" });
    const later = await shop.account.verify(shop.call, received(callback, shop.world.now()));
    expect(first.ok && later.ok && first.dedupeKey !== later.dedupeKey).toBe(true);
  });

  test.each(["paid", "declined", "canceled", "expired"] as const)(
    "is sent when a payment is %s, and never when it is only approved",
    async (outcome) => {
      await paying(shop, outcome);
      expect(shop.world.sent.map(({ url, body }) => [url, body])).toEqual([
        ["https://shop.test/api/payments/mollie/webhook/gc_1", expect.stringMatching(/^id=tr_/)],
      ]);
      shop = await openShop();
      await paying(shop, "processing");
      expect(shop.world.sent).toEqual([]);
    },
  );

  test.each([
    "",
    "id=",
    "id=tr_",
    "id=ord_abcdefgh",
    "id=tr_abcdefgh&id=tr_other123",
    "id=tr_abc/../../refunds",
    "id=tr_abcdefgh%00",
    '{"id":"tr_abcdefgh"}',
    `id=tr_${"a".repeat(2_000)}`,
    "\u0000",
  ])("without a payment's id is refused, without an error: %j", async (body) => {
    expect(mollie.hint(raw(body))).toBeNull();
    expect(await shop.account.verify(shop.call, raw(body))).toEqual({ ok: false, reason: "malformed" });
  });

  test("gets 200 whatever it contains, so that it reveals nothing", () => {
    for (const outcome of ["stored", "signature", "stale", "unknown_key", "malformed", "unsupported"] as const)
      expect(mollie.answer(outcome).status).toBe(200);
    expect(mollie.answer("failed").status).toBe(503);
  });
});

describe("the API key", () => {
  const key = `test_${"a1".repeat(15)}`;

  test.each([
    ["a live key in TEST", key.replace("test", "live"), false, "wrong_environment"],
    ["a test key in LIVE", key, true, "wrong_environment"],
    ["an organisation's access token", `access_${"a1".repeat(15)}`, false, "malformed"],
    ["something else", "abc", false, "malformed"],
    ["nothing", " ", false, "required"],
  ])("is refused if it is %s", (_name, apiKey, livemode, reason) => {
    expect(() => mollie.open({ api_key: apiKey }, { livemode })).toThrow(new RegExp(`^api_key: ${reason}$`));
  });

  test("determines the profile and its name, which payments specify as well", async () => {
    const { key: paid } = await paying(shop, "paid");
    const checked = await shop.account.check?.(shop.call);
    expect(checked).toEqual({ account: expect.stringMatching(/^pfl_/), name: "shop" });
    expect((await shop.account.query(shop.call, paid)).account).toBe(checked?.account);
  });

  test("is in no error, even if Mollie quotes it", async () => {
    const { api_key = "" } = await mollieSimulator.openAccount(shop.world, "shop");
    const fetch: typeof globalThis.fetch = async () =>
      Response.json({ status: 401, title: "Unauthorized", detail: `${api_key} is wrong` }, { status: 401 });
    const error = await shop.account.check?.({ ...shop.call, fetch }).catch((fault: unknown) => fault);
    expect(error).toMatchObject({ kind: "auth", message: "Mollie refused the API key." });
  });

  test("of a stranger is distinguished from a missing payment, and is in no error", async () => {
    const fields = await mollieSimulator.openAccount(shop.world, "shop");
    const stranger = await openShop();
    const error = await shop.account.query(stranger.call, { reference, providerId: "tr_abcdefgh" }).catch((fault: unknown) => fault);
    expect(error).toBeInstanceOf(GatewayError);
    expect(error).toMatchObject({ kind: "auth" });
    expect(JSON.stringify([error, (error as Error).message, (error as Error).stack])).not.toContain(fields["api_key"]);
  });
});

test("the simulated page offers what can happen now, applies it, and redirects the buyer back", async () => {
  const { created } = await paying(shop);
  const url = created.action.type === "redirect" ? created.action.url : "";
  const choose = (outcome: string) =>
    mollieSimulator.handle(shop.world, new Request(url, { method: "POST", body: new URLSearchParams({ outcome }) }));
  const page = async () => (await mollieSimulator.handle(shop.world, new Request(url))).text();
  expect(await page()).toContain("<span>€</span>12.34");
  expect((await choose("dispute_won")).status).toBe(409);
  expect((await choose("paid")).headers.get("location")).toBe("https://shop.test/pay/token");
  expect(await page()).toContain('value="disputed"');
  expect((await choose("disputed")).headers.get("location")).toBe(url);
});
