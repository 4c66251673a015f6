import { createPrivateKey } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { GatewayError } from "#gateways/index.ts";
import {
  changing,
  newPayment,
  newRefund,
  openShop,
  paidShop,
  type WechatShop,
  wechatpay,
  wechatpayWithCertificates,
} from "#test/support/gateways/simulated/wechatpay-shop.ts";
import { proofHeaders } from "./simulator/signing.ts";

const errorOf = (promise: Promise<unknown> | undefined): Promise<GatewayError> =>
  Promise.resolve(promise).then(
    () => Promise.reject(new Error("it went through")),
    (error: GatewayError) => error,
  );

/** Whatever the provider would say, signed as it signs. */
async function saying(shop: WechatShop, body: unknown, status = 200) {
  const pem = (await shop.world.documents.get<string>("key", "shop/public_key")) ?? "";
  const key = { serial: shop.fields["public_key_id"] ?? "", privateKey: createPrivateKey(pem) };
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return changing(shop.call, () => new Response(text === "" ? null : text, { status, headers: proofHeaders(shop.world, text, { key }) }));
}

/** The answer with a header replaced, or without it. */
const withHeader = (name: string, value: string | null) => (answer: Response) => {
  if (value === null) answer.headers.delete(name);
  else answer.headers.set(name, value);
  return answer;
};

const late = (answer: Response, shop: WechatShop) => {
  shop.world.pass(360);
  return answer;
};

describe("a deliberately wrong signature", () => {
  test("makes a payment's outcome unknown, and a query determines it", async () => {
    const shop = await openShop();
    const request = newPayment(shop);
    await wechatpay.breakNext(shop.world, "bad_signature");
    expect(await errorOf(shop.account.create(shop.call, request))).toMatchObject({ kind: "unknown_outcome", code: "signature" });
    expect(await shop.account.query(shop.call, { reference: request.reference, providerId: null })).toMatchObject({ state: "pending" });
  });

  test("doesn't prove that a payment is closed, refunded or paid", async () => {
    const shop = await paidShop(null);
    await wechatpay.breakNext(shop.world, "bad_signature");
    expect(await errorOf(shop.account.close?.(shop.call, shop.key))).toMatchObject({ kind: "unknown_outcome", code: "signature" });
    expect(await shop.account.query(shop.call, shop.key)).toMatchObject({ state: "canceled" });
    const paid = await paidShop();
    const refund = newRefund(paid.request);
    await wechatpay.breakNext(paid.world, "bad_signature");
    expect(await errorOf(paid.account.refund(paid.call, refund))).toMatchObject({ kind: "unknown_outcome", code: "signature" });
    await wechatpay.breakNext(paid.world, "bad_signature");
    expect(await errorOf(paid.account.query(paid.call, paid.key))).toMatchObject({ kind: "unavailable", code: "signature" });
  });

  test("now and then doesn't make correct credentials wrong", async () => {
    const shop = await openShop();
    await wechatpay.breakNext(shop.world, "bad_signature");
    expect(await shop.account.check?.(shop.call)).toEqual({ account: shop.fields["mchid"], name: null });
  });
});

describe("a response", () => {
  test.each([
    [
      "without a body that WeChat Pay signed",
      (answer: Response) => new Response(null, { status: 204, headers: { "request-id": answer.headers.get("request-id") ?? "" } }),
    ],
    ["signed six minutes ago", late],
    ["of a key that is not the account's", withHeader("wechatpay-serial", "PUB_KEY_ID_0000000000000000000000000000000000")],
    ["with an empty signature", withHeader("wechatpay-signature", "")],
    ["in another scheme", withHeader("wechatpay-signature-type", "WECHATPAY2-SM2-WITH-SM3")],
  ] as const)("%s closes nothing", async (_what, change) => {
    const shop = await paidShop(null);
    const call = changing(shop.call, (answer) => change(answer, shop));
    expect((await errorOf(shop.account.close?.(call, shop.key))).kind).toBe("unknown_outcome");
  });

  test("with a changed byte isn't accepted", async () => {
    const shop = await paidShop();
    const call = changing(
      shop.call,
      async (answer) => new Response((await answer.text()).replace('"total":8800', '"total":8801'), { headers: answer.headers }),
    );
    expect(await errorOf(shop.account.query(call, shop.key))).toMatchObject({ kind: "unavailable", code: "signature" });
  });

  test("that refuses the merchant's keys without a signature is believed, except about a refund", async () => {
    const shop = await paidShop(null);
    const refused = changing(shop.call, () => new Response('{"code":"SIGN_ERROR","message":""}', { status: 401 }));
    const refusal = { kind: "auth", code: "http_401", message: expect.stringContaining("private key") };
    expect(await errorOf(shop.account.create(refused, newPayment(shop)))).toMatchObject(refusal);
    expect(await errorOf(shop.account.close?.(refused, shop.key))).toMatchObject(refusal);
    expect(await errorOf(shop.account.query(refused, shop.key))).toMatchObject(refusal);
    expect(await errorOf(shop.account.refund(refused, newRefund(shop.request)))).toMatchObject({ kind: "unknown_outcome" });
  });

  test.each([
    ["behind", 360_000],
    ["ahead", -360_000],
  ])("that refuses the keys while this server's clock is minutes %s doesn't make them wrong", async (_what, aheadMs) => {
    const shop = await paidShop(null);
    const certified = await openShop({}, wechatpayWithCertificates);
    const refused = (given: WechatShop, ms: number) => {
      const date = new Date(given.world.now().getTime() + ms).toUTCString();
      return changing(given.call, () => new Response('{"code":"SIGN_ERROR","message":""}', { status: 401, headers: { date } }));
    };
    const passing = { kind: "unavailable", code: "clock", message: expect.stringContaining("6 minutes") };
    expect(await errorOf(shop.account.check?.(refused(shop, aheadMs)))).toMatchObject(passing);
    expect(await errorOf(shop.account.create(refused(shop, aheadMs), newPayment(shop)))).toMatchObject(passing);
    expect(await errorOf(certified.account.check?.(refused(certified, aheadMs)))).toMatchObject(passing);
    expect((await errorOf(shop.account.refund(refused(shop, aheadMs), newRefund(shop.request)))).kind).toBe("unknown_outcome");
    expect((await errorOf(shop.account.check?.(refused(shop, aheadMs / 6)))).kind).toBe("auth");
  });

  const paid = (shop: Awaited<ReturnType<typeof paidShop>>) => ({
    appid: shop.fields["appid"],
    mchid: shop.fields["mchid"],
    out_trade_no: shop.request.reference,
    trade_state: "SUCCESS",
    transaction_id: "4200001",
    success_time: "2026-11-20T16:00:00+08:00",
    amount: { total: 8_800, currency: "CNY" },
  });

  test.each([
    ["another merchant's", { mchid: "1600000001" }],
    ["of another payment", { out_trade_no: "ps_another" }],
    ["in a state that is none", { trade_state: "PAID" }],
    ["without an amount", { amount: undefined }],
    ["with an amount in words", { amount: { total: "8800", currency: "CNY" } }],
    ["with half a fen", { amount: { total: 0.5, currency: "CNY" } }],
    ["with less than nothing", { amount: { total: -8_800, currency: "CNY" } }],
    ["in dollars", { amount: { total: 8_800, currency: "USD" } }],
    ["without WeChat Pay's number", { transaction_id: undefined }],
  ])("that is signed but %s isn't a payment", async (_what, over) => {
    const shop = await paidShop();
    expect(await shop.account.query(await saying(shop, paid(shop)), shop.key)).toMatchObject({
      state: "succeeded",
      paidAt: new Date("2026-11-20T08:00:00Z"),
    });
    expect((await errorOf(shop.account.query(await saying(shop, { ...paid(shop), ...over }), shop.key))).code).toBe("malformed_answer");
  });

  test("about a payment for the account's former app reports that payment", async () => {
    const shop = await paidShop();
    const call = await saying(shop, { ...paid(shop), appid: "wx0000000000000000" });
    expect(await shop.account.query(call, shop.key)).toMatchObject({
      state: "succeeded",
      reference: shop.request.reference,
      account: shop.fields["mchid"],
    });
  });

  test.each([
    ["USERPAYING", "processing"],
    ["ACCEPT", "processing"],
    ["REVOKED", "canceled"],
    ["PAYERROR", "failed"],
    ["CLOSED", "canceled"],
  ])("%s is reported as %s, and not as paid", async (trade_state, state) => {
    const shop = await paidShop();
    expect(await shop.account.query(await saying(shop, { ...paid(shop), trade_state }), shop.key)).toMatchObject({
      state,
      paid: null,
      paidAt: null,
    });
  });

  test.each([
    [403, "NOT_ENOUGH", "declined"],
    [403, "USER_ACCOUNT_ABNORMAL", "declined"],
    [403, "RULE_LIMIT", "declined"],
    [403, "NO_AUTH", "auth"],
    [404, "MCH_NOT_EXISTS", "auth"],
    [404, "NOT_FOUND", "invalid"],
    [400, "PARAM_ERROR", "invalid"],
    [429, "FREQUENCY_LIMITED", "rate_limited"],
    [202, "", "unknown_outcome"],
    [500, "SYSTEM_ERROR", "unknown_outcome"],
    [503, "", "unknown_outcome"],
  ])("of %i %s to a refund is %s", async (status, code, kind) => {
    const shop = await paidShop();
    expect((await errorOf(shop.account.refund(await saying(shop, { code, message: "说明" }, status), newRefund(shop.request)))).kind).toBe(
      kind,
    );
  });

  test.each([
    ["not JSON", "{"],
    ["a list", "[]"],
    ["empty", ""],
    ["without what was asked for", "{}"],
    ["with a page that is no address", { h5_url: "javascript:alert(1)" }],
  ])("that is signed but %s creates no payment", async (_what, body) => {
    const shop = await openShop();
    const request = newPayment(shop, { buyer: { ip: "203.0.113.7", locale: "zh-CN", device: "phone", openid: null } });
    expect((await errorOf(shop.account.create(await saying(shop, body), request))).kind).toBe("unknown_outcome");
  });
});

describe("platform certificates", () => {
  test("are downloaded once an hour, and a new one is fetched when WeChat Pay begins to sign with it", async () => {
    const shop = await openShop({}, wechatpayWithCertificates);
    let downloads = 0;
    const call = changing(shop.call, (answer, url) => {
      downloads += url.endsWith("/v3/certificates") ? 1 : 0;
      return answer;
    });
    const request = newPayment(shop);
    await shop.account.create(call, request);
    await shop.account.create(call, request);
    expect(downloads).toBe(1);
    const [first] = (await shop.world.documents.get<{ toMs: number }[]>("certificates", "shop")) ?? [];
    shop.world.pass(((first?.toMs ?? 0) - shop.world.now().getTime()) / 1_000 - 30 * 86_400 - 600);
    const later = newPayment(shop);
    await shop.account.create(call, later);
    shop.world.pass(900);
    await wechatpay.simulate(shop.world, { reference: later.reference, outcome: "paid" });
    expect(await shop.account.query(call, { reference: later.reference, providerId: null })).toMatchObject({ state: "succeeded" });
    expect(downloads).toBe(3);
  });

  test.each([
    ["the APIv3 key is another", { api_v3_key: "0".repeat(32) }, (answer: Response) => answer, "api_v3_key"],
    ["there are none", {}, () => new Response("{}", { status: 404 }), "RESOURCE_NOT_EXISTS"],
    ["the merchant is not known", { mchid: "1600000001" }, (answer: Response) => answer, "SIGN_ERROR"],
  ] as const)("show that the credentials are wrong if %s", async (_what, over, change, code) => {
    const shop = await openShop({ ...over, public_key_id: "", public_key: "" });
    expect(await errorOf(shop.account.check?.(changing(shop.call, change)))).toMatchObject({ kind: "auth", code });
  });

  test.each([
    ["a wrong signature", withHeader("wechatpay-signature", "AAAA")],
    ["no signature", withHeader("wechatpay-signature", null)],
    ["a page", () => new Response("<html>")],
    ["an error", () => new Response("{}", { status: 500 })],
  ] as const)("aren't accepted with %s, and nothing was requested", async (_what, change) => {
    const shop = await openShop({ public_key_id: "", public_key: "" });
    expect((await errorOf(shop.account.create(changing(shop.call, change), newPayment(shop)))).kind).toBe("unavailable");
    expect(await shop.world.documents.list("transaction")).toEqual([]);
  });
});

test("another key of WeChat Pay's than the merchant entered is reported as wrong credentials", async () => {
  const stranger = await openShop();
  const { public_key = "" } = await wechatpay.openAccount(stranger.world, "other");
  const shop = await openShop({ public_key });
  expect(await errorOf(shop.account.check?.(shop.call))).toMatchObject({ kind: "auth", code: "signature" });
});
