import { describe, expect, test } from "vitest";
import type { GatewayError, NewGatewayPayment } from "#gateways/index.ts";
import { gatewayContract } from "#test/support/gateways/contract/gateway-contract.ts";
import {
  changing,
  newPayment,
  newRefund,
  openShop,
  paidShop,
  wechatpay,
  wechatpayWithCertificates,
} from "#test/support/gateways/simulated/wechatpay-shop.ts";
import { wechatpayMerchant } from "./adapter.ts";
import { facts } from "./testing/facts.ts";

const underTest = { adapter: wechatpayMerchant, ...facts };

describe("signed with WeChat Pay's public key", () => gatewayContract({ ...underTest, simulator: wechatpay }));
describe("signed with platform certificates", () => gatewayContract({ ...underTest, simulator: wechatpayWithCertificates }));

const errorOf = (promise: Promise<unknown>): Promise<GatewayError> =>
  promise.then(
    () => Promise.reject(new Error("it went through")),
    (error: GatewayError) => error,
  );

const buyer = (over: Partial<NewGatewayPayment["buyer"]>): NewGatewayPayment["buyer"] => ({
  ip: "203.0.113.7",
  locale: "zh-CN",
  device: "desktop",
  openid: null,
  ...over,
});

describe("the payment method", () => {
  test.each([
    ["a desktop", buyer({}), "on", "display_qr"],
    ["WeChat's browser, the buyer known", buyer({ device: "wechat", openid: "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o" }), "on", "wechat_jsapi"],
    ["WeChat's browser, the buyer unknown", buyer({ device: "wechat" }), "on", "display_qr"],
    ["a desktop, the buyer remembered", buyer({ openid: "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o" }), "on", "display_qr"],
    ["a phone", buyer({ device: "phone" }), "on", "redirect"],
    ["a phone whose address is unknown", buyer({ device: "phone", ip: null }), "on", "display_qr"],
    ["a phone, H5 not switched on", buyer({ device: "phone" }), "", "display_qr"],
    ["Alipay's browser", buyer({ device: "alipay" }), "on", "display_qr"],
  ] as const)("on %s fits the device", async (_what, who, h5, type) => {
    const shop = await openShop({ h5 });
    const { action } = await shop.account.create(shop.call, newPayment(shop, { buyer: who }));
    expect(action.type).toBe(type);
  });

  test("returns a phone's buyer to where they came from, and works for five minutes", async () => {
    const shop = await openShop();
    const request = newPayment(shop, { buyer: buyer({ device: "phone" }) });
    const { action, actionExpiresAt } = await shop.account.create(shop.call, request);
    const url = new URL(action.type === "redirect" ? action.url : "");
    expect(url.searchParams.get("redirect_url")).toBe(request.returnUrl);
    expect(url.searchParams.get("prepay_id")).toMatch(/^wx/);
    expect(actionExpiresAt).toEqual(new Date(shop.world.now().getTime() + 300_000));
    const open = () =>
      wechatpay.handle(shop.world, new Request(url, { headers: { referer: "https://shop.test/" } })).then((page) => page.text());
    expect(await open()).toContain('<a class="back" href="https://shop.test/pay/pl_token?');
    shop.world.pass(300);
    expect(await open()).toContain("no longer valid");
  });

  test("by a code works for two hours at most, and the page behind it pays", async () => {
    const shop = await openShop();
    const request = newPayment(shop, { expiresAt: new Date(shop.world.now().getTime() + 86_400_000) });
    const { action, actionExpiresAt } = await shop.account.create(shop.call, request);
    expect(actionExpiresAt).toEqual(new Date(shop.world.now().getTime() + 7_200_000));
    const url = action.type === "display_qr" ? action.qr_payload : "";
    const paying = await wechatpay.handle(shop.world, new Request(url, { method: "POST", body: new URLSearchParams({ outcome: "paid" }) }));
    expect(paying.status).toBe(303);
    expect(shop.world.sent).toHaveLength(1);
    expect(await shop.account.query(shop.call, { reference: request.reference, providerId: null })).toMatchObject({
      state: "succeeded",
      paid: request.amount,
    });
  });
});

describe("a payment", () => {
  test("created again later is the same request with a new code, and a paid one isn't created again", async () => {
    const shop = await paidShop(null);
    shop.world.pass(600);
    const again = await shop.account.create(shop.call, shop.request);
    expect(again.action).not.toEqual(shop.created.action);
    await wechatpay.simulate(shop.world, { reference: shop.request.reference, outcome: "paid" });
    expect(await errorOf(shop.account.create(shop.call, shop.request))).toMatchObject({ kind: "already_paid", code: "ORDERPAID" });
  });

  test("created again with another amount is refused as another payment's number", async () => {
    const shop = await paidShop(null);
    const other = { ...shop.request, amount: { amount_minor: 1, currency: "CNY" } };
    expect(await errorOf(shop.account.create(shop.call, other))).toMatchObject({ kind: "conflict", code: "INVALID_REQUEST" });
  });

  test.each([
    ["an emoji and a line break", "🍵 Tea\nfor\u0000 two 𠮷`", "Tea for  two '"],
    ["nothing but emoji", "🍵🍵", null],
    ["half of a pair", "\ud83cTea", "Tea"],
    ["more characters than fit", "茶".repeat(200), "茶".repeat(127)],
  ])("whose title has %s is described by what WeChat Pay accepts", async (_what, title, described) => {
    const shop = await openShop();
    const bodies: Record<string, unknown>[] = [];
    const call = {
      ...shop.call,
      fetch: (...given: Parameters<typeof fetch>) => {
        bodies.push(JSON.parse(String(given[1]?.body)));
        return shop.call.fetch(...given);
      },
    };
    const request = newPayment(shop, { title, metadata: { b: "2", a: "1" } });
    await shop.account.create(call, request);
    expect(bodies[0]).toMatchObject({
      description: described ?? request.reference,
      attach: "a=1 b=2",
      time_expire: "2026-11-20T17:00:00+08:00",
    });
  });

  test("in another currency is refused before any request", async () => {
    const shop = await openShop();
    const request = newPayment(shop, { amount: { amount_minor: 100, currency: "EUR" } });
    expect(await errorOf(shop.account.create({ ...shop.call, fetch: () => Promise.reject(new Error("asked")) }, request))).toMatchObject({
      kind: "invalid",
    });
  });

  test("can't be paid after its end or once it is closed", async () => {
    const ended = await paidShop(null);
    ended.world.pass(3_600);
    await wechatpay.simulate(ended.world, { reference: ended.request.reference, outcome: "paid" });
    expect(await ended.account.query(ended.call, ended.key)).toMatchObject({ state: "pending", paid: null });
    expect(await ended.account.close?.(ended.call, ended.key)).toBe("closed");
    await wechatpay.simulate(ended.world, { reference: ended.request.reference, outcome: "paid" });
    expect(await ended.account.query(ended.call, ended.key)).toMatchObject({ state: "canceled", paid: null });
    expect(await ended.account.close?.(ended.call, ended.key)).toBe("closed");
    expect(await errorOf(ended.account.create(ended.call, ended.request))).toMatchObject({ kind: "conflict" });
  });

  test("that WeChat Pay doesn't know is absent when it is closed", async () => {
    const { account, call } = await openShop();
    expect(await account.close?.(call, { reference: "ps_nobody_knows_this", providerId: null })).toBe("absent");
  });

  test("that was partially refunded has still succeeded with its whole amount", async () => {
    const shop = await paidShop();
    await shop.account.refund(shop.call, newRefund(shop.request));
    expect(await shop.account.query(shop.call, shop.key)).toMatchObject({
      state: "succeeded",
      providerState: "REFUND",
      paid: shop.request.amount,
      // How much is only in the refunds.
      refunded: null,
      wasRefunded: true,
    });
  });
});

describe("a refund", () => {
  test("right after another of the same payment is deferred by WeChat Pay", async () => {
    const shop = await paidShop();
    await shop.account.refund(shop.call, newRefund(shop.request));
    const second = newRefund(shop.request);
    const busy = { kind: "rate_limited", code: "FREQUENCY_LIMITED", retryAfter: 60, isBusy: true };
    expect(await errorOf(shop.account.refund(shop.call, second))).toMatchObject(busy);
    shop.world.pass(60);
    expect(await shop.account.refund(shop.call, second)).toMatchObject({ state: "pending", amount: second.amount });
  });

  test("whose number was used with another amount is refused", async () => {
    const shop = await paidShop();
    const refund = newRefund(shop.request);
    await shop.account.refund(shop.call, refund);
    const other = { ...refund, amount: { amount_minor: 400, currency: "CNY" } };
    expect(await errorOf(shop.account.refund(shop.call, other))).toMatchObject({ kind: "conflict" });
  });

  test("that the bank returned has failed, and the response says where to decide about it", async () => {
    const shop = await paidShop();
    const refund = newRefund(shop.request);
    await shop.account.refund(shop.call, refund);
    await wechatpay.simulateRefund(shop.world, { refundReference: refund.refundReference, outcome: "failed" });
    const found = await shop.account.queryRefund(shop.call, { ...refund, providerRefundId: null });
    expect(found).toMatchObject({
      state: "failed",
      providerState: "ABNORMAL",
      failure: { code: "ABNORMAL", message: expect.stringContaining("交易中心") },
    });
  });

  test("that WeChat Pay closed has failed", async () => {
    const shop = await paidShop();
    const refund = newRefund(shop.request);
    await shop.account.refund(shop.call, refund);
    const stored = await shop.world.documents.get<object>("refund", `${shop.account.id}/${refund.refundReference}`);
    await shop.world.documents.put("refund", `${shop.account.id}/${refund.refundReference}`, { ...stored, status: "CLOSED" });
    expect(await shop.account.queryRefund(shop.call, { ...refund, providerRefundId: null })).toMatchObject({
      state: "failed",
      failure: { code: "CLOSED" },
    });
  });

  test.each([
    ["of more than a year ago", 366 * 86_400, {}, "conflict"],
    ["of another total", 0, { total: { amount_minor: 9_900, currency: "CNY" } }, "conflict"],
    ["of a payment that nobody made", 0, { reference: "ps_nobody_knows_this" }, "not_found"],
    ["in another currency", 0, { amount: { amount_minor: 300, currency: "EUR" } }, "invalid"],
  ] as const)("%s is refused", async (_what, seconds, over, kind) => {
    const shop = await paidShop();
    shop.world.pass(seconds);
    expect((await errorOf(shop.account.refund(shop.call, newRefund(shop.request, over)))).kind).toBe(kind);
  });
});

test("a request that the merchant's other key signed is refused, and no error contains a secret", async () => {
  const stranger = await openShop();
  const shop = await openShop({ private_key: (await wechatpay.openAccount((await openShop()).world, "other"))["private_key"] ?? "" });
  const error = await errorOf(shop.account.create(shop.call, newPayment(shop)));
  expect(error).toMatchObject({ kind: "auth", code: "SIGN_ERROR" });
  const text = `${error.stack} ${JSON.stringify(error)}`;
  for (const secret of ["private_key", "api_v3_key"])
    expect(text).not.toContain((stranger.fields[secret] ?? "").slice(40, 60) || "no secret");
});

test("an API below a path is reached and signed there", async () => {
  const shop = await openShop();
  const world = { ...shop.world, origin: "https://simulator.test/wechatpay/one" };
  const call = {
    ...shop.call,
    baseUrl: world.origin,
    fetch: (...given: Parameters<typeof fetch>) => wechatpay.handle(world, new Request(...given)),
  };
  const { action } = await shop.account.create(call, newPayment(shop));
  expect(action).toMatchObject({ qr_payload: expect.stringMatching(/^https:\/\/simulator\.test\/wechatpay\/one\/bizpayurl\?pr=wx/) });
});

test("a response that isn't WeChat Pay's never looks like one", async () => {
  const shop = await paidShop();
  for (const [status, body] of [
    [404, '{"code":"ORDER_NOT_EXIST","message":""}'],
    [403, "{}"],
    [502, "<html>"],
    [302, ""],
  ] as const) {
    const unsigned = changing(shop.call, () => new Response(body, { status }));
    expect((await errorOf(shop.account.query(unsigned, shop.key))).kind).toBe("unavailable");
    expect((await errorOf(shop.account.refund(unsigned, newRefund(shop.request)))).kind).toBe("unknown_outcome");
    expect((await errorOf(shop.account.close?.(unsigned, shop.key) ?? Promise.resolve())).kind).toBe("unknown_outcome");
  }
});
