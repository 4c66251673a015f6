import { beforeEach, describe, expect, test } from "vitest";
import { type GatewayAccount, type GatewayCall, GatewayError, type NewGatewayPayment } from "#gateways/index.ts";
import { gatewayContract } from "#test/support/gateways/contract/gateway-contract.ts";
import { received, type SimulatedWorld, simulatedWorld } from "#test/support/gateways/simulated/simulated-world.ts";
import { alipayMerchant } from "./adapter.ts";
import { openApp, type SimulatedApp, signAsAlipay } from "./simulator/accounts.ts";
import { alipayMerchantSimulator as simulator } from "./simulator.ts";
import { facts } from "./testing/facts.ts";

const amount = { amount_minor: 1_234, currency: "CNY" };

gatewayContract({ adapter: alipayMerchant, simulator, ...facts });

const reference = "ps_00000000000000000000000001";
let world: SimulatedWorld;
let account: GatewayAccount;
let call: GatewayCall;
let app: SimulatedApp;
let fields: Record<string, string>;
beforeEach(async () => {
  world = simulatedWorld();
  fields = await simulator.openAccount(world, "shop");
  app = await openApp(world, "shop");
  account = alipayMerchant.open(fields, { livemode: false });
  call = world.call(simulator);
});

const newPayment = (over: Partial<NewGatewayPayment> = {}): NewGatewayPayment => ({
  reference,
  amount,
  title: "Tea & cake/2 = 50% + more 茶",
  notifyUrl: "https://shop.test/api/payments/alipay_merchant/webhook/gc_1",
  returnUrl: "https://shop.test/pay/token?from=provider&x=1",
  cancelUrl: "https://shop.test/pay/token?canceled=1",
  expiresAt: new Date(world.now().getTime() + 3_600_000),
  buyer: { ip: null, locale: "zh-CN", device: "desktop", openid: null },
  metadata: { order_id: "ord_1" },
  ...over,
});
const key = { reference, providerId: null };
const errorOf = async (promise: Promise<unknown>): Promise<GatewayError> => {
  const error = await promise.then(
    () => null,
    (one: unknown) => one,
  );
  expect(error).toBeInstanceOf(GatewayError);
  return error as GatewayError;
};
const open = async (path: string, init?: RequestInit) => simulator.handle(world, new Request(path, init));
/** A call whose requests are kept, and whose answers may be changed. */
const watched = (change: (text: string) => string = (text) => text) => {
  const requests: URLSearchParams[] = [];
  const fetch: GatewayCall["fetch"] = async (input, init) => {
    const request = new Request(input, init);
    requests.push(new URLSearchParams([...new URL(request.url).searchParams, ...new URLSearchParams(await request.clone().text())]));
    const answer = await simulator.handle(world, request);
    return new Response(change(await answer.text()), { status: answer.status });
  };
  return { requests, call: { ...call, fetch } };
};

describe("on a phone", () => {
  test.each(["phone", "alipay"] as const)(
    "a buyer (%s) is redirected to Alipay's page by a URL that we sign, without any request",
    async (device) => {
      const { requests, call: silent } = watched();
      const { action, state } = await account.create(silent, newPayment({ buyer: { ...newPayment().buyer, device } }));
      expect(requests).toHaveLength(0);
      expect(state).toBe("pending");
      if (action.type !== "redirect") throw new Error(action.type);
      const params = new URL(action.url).searchParams;
      expect(params.get("return_url")).toBe(newPayment().returnUrl);
      expect(JSON.parse(params.get("biz_content") ?? "")).toMatchObject({
        out_trade_no: reference,
        total_amount: "12.34",
        product_code: "QUICK_WAP_WAY",
      });
      expect(await account.query(call, key)).toMatchObject({ state: "pending", providerState: "TRADE_NOT_EXIST", asked: null });
      const page = (await open(action.url)).headers.get("location") ?? "";
      expect(await (await open(page)).text()).toContain("Tea ＆ cake／2 ＝ 50% + more 茶");
      await open(page, { method: "POST", body: new URLSearchParams({ outcome: "paid" }) });
      expect(await account.query(call, key)).toMatchObject({ state: "succeeded", paid: amount });
    },
  );
});

test.each([
  ["a desktop", "", "desktop", "display_qr", "code"],
  ["a desktop of an account that has pages for them", "page", "desktop", "redirect", "page"],
  ["a phone", "page", "phone", "redirect", "wap"],
  ["Alipay's own browser", "code", "alipay", "redirect", "wap"],
  ["another wallet's browser, which blocks Alipay's pages", "page", "wechat", "display_qr", "code"],
] as const)(
  "on %s the payment method fits the device, and an open payment only serves buyers with the same one",
  async (_what, desktop, device, type, way) => {
    const buyer = { ...newPayment().buyer, device };
    const shop = alipayMerchant.open({ ...fields, desktop }, { livemode: false });
    expect((await shop.create(call, newPayment({ buyer }))).action.type).toBe(type);
    expect(shop.wayOf?.(buyer)).toBe(way);
  },
);

test("a buyer at a computer is redirected to Alipay's page for computers, and pays there", async () => {
  const { requests, call: silent } = watched();
  const shop = alipayMerchant.open({ ...fields, desktop: "page" }, { livemode: false });
  const { action } = await shop.create(silent, newPayment());
  expect(requests).toHaveLength(0);
  if (action.type !== "redirect") throw new Error(action.type);
  const params = new URL(action.url).searchParams;
  expect(params.get("method")).toBe("alipay.trade.page.pay");
  expect(params.get("return_url")).toBe(newPayment().returnUrl);
  expect(JSON.parse(params.get("biz_content") ?? "")).toMatchObject({
    out_trade_no: reference,
    total_amount: "12.34",
    product_code: "FAST_INSTANT_TRADE_PAY",
  });
  const page = (await open(action.url)).headers.get("location") ?? "";
  await open(page, { method: "POST", body: new URLSearchParams({ outcome: "paid" }) });
  expect(await shop.query(call, key)).toMatchObject({ state: "succeeded", paid: amount });
});

describe("the end of a payment", () => {
  const endSent = async (expiresAt: Date) => {
    const { requests, call: watchedCall } = watched();
    const created = await account.create(watchedCall, newPayment({ expiresAt }));
    return { created, timestamp: requests[0]?.get("timestamp"), end: JSON.parse(requests[0]?.get("biz_content") ?? "{}").time_expire };
  };

  test("is sent in Beijing's time, as is the time of the request", async () => {
    const { end, timestamp } = await endSent(new Date("2026-11-20T17:30:00.900Z"));
    expect({ end, timestamp }).toEqual({ end: "2026-11-21 01:30:00", timestamp: "2026-11-20 16:00:00" });
  });

  test("is at least a minute and at most 15 days away", async () => {
    expect((await endSent(new Date("2026-11-20T08:00:01.000Z"))).end).toBe("2026-11-20 16:01:00");
    world = simulatedWorld();
    fields = await simulator.openAccount(world, "shop");
    account = alipayMerchant.open(fields, { livemode: false });
    call = world.call(simulator);
    expect((await endSent(new Date("2027-11-20T08:00:00.000Z"))).end).toBe("2026-12-05 16:00:00");
  });

  test("may be after that of the code, which is valid for two hours", async () => {
    expect((await account.create(call, newPayment())).actionExpiresAt).toBeNull();
    expect((await account.create(call, newPayment({ expiresAt: new Date("2026-11-20T20:00:00.000Z") }))).actionExpiresAt).toEqual(
      new Date("2026-11-20T10:00:00.000Z"),
    );
  });
});

describe("a response", () => {
  test.each([
    ["signed with another key", (text: string) => text.replace(/"sign":"[^"]*"/, `"sign":"${signAsAlipay("{}", app)}"`)],
    ["without a signature", (text: string) => text.replace(/,"sign":"[^"]*"/, "")],
    ["with an amount that was changed", (text: string) => text.replace('"total_amount":"12.34"', '"total_amount":"1.00"')],
    ["with its object twice", (text: string) => text.replace("{", '{"alipay_trade_query_response":{"code":"10000"},')],
  ])("%s isn't accepted", async (_what, change) => {
    await account.create(call, newPayment());
    await simulator.simulate(world, { reference, outcome: "paid" });
    const error = await errorOf(account.query(watched(change).call, key));
    expect(error.kind).toBe("unavailable");
    expect(["signature", "malformed_answer"]).toContain(error.code);
  });

  test("that was signed for another app isn't accepted", async () => {
    const other = await openApp(world, "other");
    await account.create(call, newPayment());
    await simulator.simulate(world, { reference, outcome: "paid" });
    const signed = (text: string) => {
      const inner = text.slice(text.indexOf(":{") + 1, text.lastIndexOf(',"sign"'));
      return `{"alipay_trade_query_response":${inner},"sign":"${signAsAlipay(inner, other)}"}`;
    };
    expect((await errorOf(account.query(watched(signed).call, key))).code).toBe("signature");
  });

  test("about another payment isn't accepted", async () => {
    await account.create(call, newPayment({ reference: "ps_2" }));
    await simulator.simulate(world, { reference: "ps_2", outcome: "paid" });
    const paid = await watchedAnswer("ps_2");
    expect((await errorOf(account.query(watched(() => paid).call, key))).code).toBe("malformed_answer");
  });

  const watchedAnswer = async (about: string) => {
    let stored = "";
    await account.query(watched((text) => (stored = text)).call, { reference: about, providerId: null });
    return stored;
  };

  test("whose signature is broken makes it unknown whether a payment was created", async () => {
    await simulator.breakNext(world, "bad_signature");
    expect(await errorOf(account.create(call, newPayment()))).toMatchObject({ kind: "unknown_outcome", code: "signature" });
    await simulator.breakNext(world, "bad_signature");
    expect(await errorOf(account.query(call, key))).toMatchObject({ kind: "unavailable", code: "signature" });
  });

  test("that a wrong key can't verify shows in the check of the account", async () => {
    const other = await openApp(world, "other");
    const wrong = alipayMerchant.open({ ...fields, alipay_public_key: other.alipayPublicKey }, { livemode: false });
    expect(await errorOf(wrong.check?.(call) ?? Promise.resolve())).toMatchObject({ kind: "auth", code: "signature" });
    const stranger = alipayMerchant.open({ ...fields, private_key: other.appPrivateKey }, { livemode: false });
    expect(await errorOf(stranger.check?.(call) ?? Promise.resolve())).toMatchObject({ kind: "auth", code: "isv.invalid-signature" });
  });

  test("to a request at another time says that nothing happened", async () => {
    const late = { ...call, now: () => new Date(world.now().getTime() + 8 * 3_600_000) };
    expect(await errorOf(account.query(late, key))).toMatchObject({ kind: "unavailable", code: "isv.invalid-timestamp" });
  });
});

test("a payment that was already paid, and one in another currency, aren't created", async () => {
  await account.create(call, newPayment());
  await simulator.simulate(world, { reference, outcome: "paid" });
  expect(await errorOf(account.create(call, newPayment()))).toMatchObject({ kind: "already_paid", code: "ACQ.TRADE_HAS_SUCCESS" });
  expect(await errorOf(account.create(call, newPayment({ amount: { amount_minor: 1_234, currency: "USD" } })))).toMatchObject({
    kind: "invalid",
  });
});

describe("closing", () => {
  test("a payment that wasn't opened invalidates its code; Alipay knew no such payment, whose page might still be opened", async () => {
    await account.create(call, newPayment());
    expect(await account.close?.(call, key)).toBe("unopened");
    await expect(simulator.simulate(world, { reference, outcome: "paid" })).rejects.toThrow("no longer valid");
  });

  test("a payment that waits for its buyer closes it, also repeatedly", async () => {
    await account.create(call, newPayment());
    await simulator.simulate(world, { reference, outcome: "canceled" });
    expect(await account.close?.(call, key)).toBe("closed");
    expect(await account.close?.(call, key)).toBe("closed");
    // Alipay tells a time of payment of it all the same.
    expect(await account.query(call, key)).toMatchObject({ state: "canceled", paid: null, paidAt: null, refunded: null });
  });

  test("a payment that the buyer makes at that moment leaves the money with the buyer", async () => {
    await account.create(call, newPayment());
    const paying: GatewayCall["fetch"] = async (input, init) => {
      const request = new Request(input, init);
      if (request.url.includes("alipay.trade.cancel")) await simulator.simulate(world, { reference, outcome: "paid" });
      return simulator.handle(world, request);
    };
    expect(await account.close?.({ ...call, fetch: paying }, key)).toBe("already_paid");
    expect(await account.query(call, key)).toMatchObject({ state: "succeeded", paid: amount, refunded: amount });
  });
});

describe("a refund", () => {
  const refund = (over: Record<string, unknown> = {}) => ({
    ...{
      ...key,
      captureId: null,
      refundReference: "rf_1",
      amount: { ...amount, amount_minor: 300 },
      total: amount,
      reason: "a/b=c",
      notifyUrl: "",
    },
    ...over,
  });
  beforeEach(async () => {
    await account.create(call, newPayment());
    await simulator.simulate(world, { reference, outcome: "paid" });
  });

  test("always has its number, and one that moved no money is requested again", async () => {
    const { requests, call: watchedCall } = watched();
    expect(await account.refund(watchedCall, refund())).toMatchObject({ state: "succeeded", providerState: "fund_change=Y" });
    expect(await account.refund(watchedCall, refund())).toMatchObject({ state: "succeeded", providerState: "REFUND_SUCCESS" });
    expect(requests.map((one) => JSON.parse(one.get("biz_content") ?? "").out_request_no)).toEqual(["rf_1", "rf_1", "rf_1"]);
    expect(requests.map((one) => one.get("method"))).toEqual([
      "alipay.trade.refund",
      "alipay.trade.refund",
      "alipay.trade.fastpay.refund.query",
    ]);
  });

  test("of another amount under the same number is refused", async () => {
    await account.refund(call, refund());
    expect(await errorOf(account.refund(call, refund({ amount })))).toMatchObject({
      kind: "conflict",
      code: "ACQ.DISCORDANT_REPEAT_REQUEST",
    });
  });

  test("that failed in Alipay's system may have been made: requesting it again under its number makes one", async () => {
    await simulator.breakNext(world, "server_error");
    expect((await errorOf(account.refund(call, refund()))).kind).toBe("unknown_outcome");
    expect(await account.refund(call, refund())).toMatchObject({ state: "succeeded" });
  });

  test("of everything closes the trade, which remains paid and is reported as wholly refunded", async () => {
    await account.refund(call, refund({ amount }));
    expect(await account.query(call, key)).toMatchObject({ state: "succeeded", paid: amount, refunded: amount });
    const verdict = await account.verify(call, received(await simulator.callbackOf(world, reference), world.now()));
    expect(verdict).toMatchObject({
      ok: true,
      report: { kind: "payment", payment: { state: "succeeded", paid: amount, refunded: amount } },
    });
  });
});
