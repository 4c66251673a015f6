import { createPrivateKey } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { CallbackVerdict, RawCallback } from "#gateways/index.ts";
import { received } from "#test/support/gateways/simulated/simulated-world.ts";
import { changing, newRefund, paidShop, wechatpay, wechatpayWithCertificates } from "#test/support/gateways/simulated/wechatpay-shop.ts";
import { wechatpayMerchant } from "./adapter.ts";
import { encrypt, proofHeaders } from "./simulator/signing.ts";

type Shop = Awaited<ReturnType<typeof paidShop>>;
type Headers = Record<string, string>;

const refusal = (reason: string) => ({ ok: false, reason });

async function openCallback(simulator = wechatpay) {
  const shop = await paidShop("paid", simulator);
  const callback = await simulator.callbackOf(shop.world, shop.request.reference);
  const raw = received(callback, shop.world.now());
  const verify = (over: Partial<RawCallback> = {}): Promise<CallbackVerdict> => shop.account.verify(shop.call, { ...raw, ...over });
  return { ...shop, raw, verify };
}

/** A notification that WeChat Pay might have signed, whatever it says. */
async function signed(
  shop: Shop,
  given: { event?: string; resource?: object; algorithm?: string; apiV3Key?: string },
): Promise<RawCallback> {
  const { event = "TRANSACTION.SUCCESS", resource = {}, apiV3Key = shop.fields["api_v3_key"] ?? "" } = given;
  const sealed = {
    ...encrypt(shop.world, JSON.stringify(resource), { apiV3Key, associatedData: "transaction" }),
    original_type: "transaction",
  };
  const body = JSON.stringify({
    id: "EV-1",
    event_type: event,
    resource: { ...sealed, ...(given.algorithm === undefined ? {} : { algorithm: given.algorithm }) },
  });
  const pem = (await shop.world.documents.get<string>("key", "shop/public_key")) ?? "";
  const key = { serial: shop.fields["public_key_id"] ?? "", privateKey: createPrivateKey(pem) };
  return received({ url: shop.request.notifyUrl, headers: proofHeaders(shop.world, body, { key }), body }, shop.world.now());
}

const transaction = (shop: Shop) => ({
  mchid: shop.fields["mchid"],
  appid: shop.fields["appid"],
  out_trade_no: shop.request.reference,
  transaction_id: "4200001",
  trade_state: "SUCCESS",
  success_time: "2026-11-20T16:00:00+08:00",
  amount: { total: 8_800, currency: "CNY" },
});

describe("a callback of a payment", () => {
  test("reports the payment, and its key is the event's", async () => {
    const { verify, raw, account, request, fields } = await openCallback();
    const { id } = JSON.parse(raw.body.toString());
    expect(wechatpayMerchant.hint(raw)).toEqual({ account: null, keyId: fields["public_key_id"], reference: null, providerId: null });
    expect(await verify()).toMatchObject({
      ok: true,
      dedupeKey: id,
      event: "TRANSACTION.SUCCESS",
      report: { kind: "payment", payment: { reference: request.reference, account: account.id, paid: request.amount, state: "succeeded" } },
    });
  });

  const header = (name: string, value: (headers: Headers) => string) => (raw: RawCallback) => ({
    headers: { ...raw.headers, [name]: value({ ...raw.headers }) },
  });
  const without = (name: string) => (raw: RawCallback) => ({
    headers: Object.fromEntries(Object.entries(raw.headers).filter(([one]) => one !== name)),
  });

  test.each([
    ["has no signature", without("wechatpay-signature"), "signature"],
    ["has no timestamp", without("wechatpay-timestamp"), "signature"],
    ["has no nonce", without("wechatpay-nonce"), "signature"],
    ["names no key", without("wechatpay-serial"), "signature"],
    ["has an empty signature", header("wechatpay-signature", () => ""), "signature"],
    ["has a short signature", header("wechatpay-signature", () => "AAAA"), "signature"],
    ["has an endless signature", header("wechatpay-signature", () => "A".repeat(100_000)), "signature"],
    [
      "has a signature that is wrong on purpose",
      header("wechatpay-signature", ({ "wechatpay-signature": right = "" }) => `WECHATPAY/SIGNTEST/${right.slice(19)}`),
      "signature",
    ],
    ["was signed for another nonce", header("wechatpay-nonce", () => "0123456789abcdef"), "signature"],
    [
      "was signed for another second",
      header("wechatpay-timestamp", ({ "wechatpay-timestamp": at = "" }) => `${Number(at) + 1}`),
      "signature",
    ],
    ["has a timestamp in words", header("wechatpay-timestamp", () => "1e9"), "signature"],
    ["is in another scheme", header("wechatpay-signature-type", () => "MD5"), "signature"],
    ["names a public key that is not the account's", header("wechatpay-serial", () => "PUB_KEY_ID_0"), "unknown_key"],
    [
      "names a certificate that there is none of",
      header("wechatpay-serial", () => "5DEA10EF55877E3CF6C33255C2E7DEFFF7E427EC"),
      "unknown_key",
    ],
    [
      "was encoded anew",
      (raw: RawCallback) => ({ body: Buffer.from(JSON.stringify(JSON.parse(raw.body.toString()), null, 1)) }),
      "signature",
    ],
    ["was asked for with GET", () => ({ method: "GET" }), "signature"],
  ] as const)("that %s is refused", async (_what, change, reason) => {
    const { raw, verify } = await openCallback();
    expect(await verify(change(raw))).toEqual(refusal(reason));
  });

  test("of another account is refused, also with a key of the same name", async () => {
    const { call, raw, fields, world } = await openCallback();
    const { public_key = "" } = await wechatpay.openAccount(world, "other");
    const stranger = wechatpayMerchant.open({ ...fields, public_key }, { livemode: false });
    expect(await stranger.verify(call, raw)).toEqual(refusal("signature"));
  });

  test.each([
    ["of another merchant", { mchid: "1600000001" }],
    ["without its number", { out_trade_no: undefined }],
    ["with an amount in words", { amount: { total: "8800", currency: "CNY" } }],
    ["with an amount with an exponent", { amount: { total: 1e300, currency: "CNY" } }],
    ["with less than nothing", { amount: { total: -1, currency: "CNY" } }],
    ["in another currency", { amount: { total: 8_800, currency: "USD" } }],
    ["that is a refund's", { trade_state: undefined, refund_status: "SUCCESS", out_refund_no: "rf_1" }],
  ])("that is signed and %s is refused", async (_what, over) => {
    const shop = await paidShop();
    expect(await shop.account.verify(shop.call, await signed(shop, { resource: transaction(shop) }))).toMatchObject({ ok: true });
    expect(await shop.account.verify(shop.call, await signed(shop, { resource: { ...transaction(shop), ...over } }))).toEqual(
      refusal("malformed"),
    );
  });

  test("of a payment for the app that the account had before is accepted: its number is the merchant's own", async () => {
    const shop = await paidShop();
    const raw = await signed(shop, { resource: { ...transaction(shop), appid: "wx0000000000000000" } });
    expect(await shop.account.verify(shop.call, raw)).toMatchObject({
      ok: true,
      report: { kind: "payment", payment: { reference: shop.request.reference, state: "succeeded" } },
    });
  });

  test("whose state isn't paid reports nothing as paid", async () => {
    const shop = await paidShop();
    const verdict = await shop.account.verify(shop.call, await signed(shop, { resource: { ...transaction(shop), trade_state: "CLOSED" } }));
    expect(verdict).toMatchObject({ ok: true, report: { kind: "payment", payment: { state: "canceled", paid: null } } });
  });

  test.each([
    ["in another cipher", { algorithm: "AEAD_SM4_GCM" }, "unsupported"],
    ["with another APIv3 key", { apiV3Key: "0".repeat(32) }, "unknown_key"],
  ])("encrypted %s is refused", async (_what, given, reason) => {
    const shop = await paidShop();
    expect(await shop.account.verify(shop.call, await signed(shop, { resource: transaction(shop), ...given }))).toEqual(refusal(reason));
  });

  test("about something that Tillpost doesn't handle is accepted and dropped", async () => {
    const shop = await paidShop();
    const verdict = await shop.account.verify(shop.call, await signed(shop, { event: "COUPON.USE", resource: {} }));
    expect(verdict).toEqual({ ok: true, dedupeKey: "EV-1", event: "COUPON.USE", report: { kind: "nothing" } });
  });

  test("is delivered three times with one key, signed again each time", async () => {
    const shop = await paidShop("duplicate");
    const verdicts = await Promise.all(
      shop.world.sent.map((callback) => shop.account.verify(shop.call, received(callback, shop.world.now()))),
    );
    expect(new Set(shop.world.sent.map(({ headers }) => headers["Wechatpay-Signature"])).size).toBe(3);
    expect(new Set(verdicts.map((verdict) => verdict.ok && verdict.dedupeKey)).size).toBe(1);
    expect(verdicts.every(({ ok }) => ok)).toBe(true);
  });
});

describe("a callback of a refund", () => {
  test.each([
    ["succeeded", "REFUND.SUCCESS", "succeeded"],
    ["failed", "REFUND.ABNORMAL", "failed"],
  ] as const)("that %s reports so", async (outcome, event, state) => {
    const shop = await paidShop();
    const refund = newRefund(shop.request);
    await shop.account.refund(shop.call, refund);
    await wechatpay.simulateRefund(shop.world, { refundReference: refund.refundReference, outcome });
    const raw = received(await wechatpay.callbackOf(shop.world, shop.request.reference), shop.world.now());
    expect(await shop.account.verify(shop.call, raw)).toMatchObject({
      ok: true,
      event,
      report: {
        kind: "refund",
        payment: { reference: shop.request.reference },
        refund: { refundReference: refund.refundReference, state, amount: refund.amount },
      },
    });
  });

  test.each([
    ["whose event says otherwise", { refund_status: "ABNORMAL" }],
    ["without its number", { out_refund_no: undefined }],
    ["of another merchant", { mchid: "1600000001" }],
    ["that is a payment's", { refund_status: undefined, trade_state: "SUCCESS" }],
  ])("%s is refused", async (_what, over) => {
    const shop = await paidShop();
    const refund = {
      mchid: shop.fields["mchid"],
      out_trade_no: shop.request.reference,
      out_refund_no: "rf_1",
      refund_status: "SUCCESS",
      amount: { refund: 300, total: 8_800 },
    };
    const event = "REFUND.SUCCESS";
    expect(await shop.account.verify(shop.call, await signed(shop, { event, resource: refund }))).toMatchObject({ ok: true });
    expect(await shop.account.verify(shop.call, await signed(shop, { event, resource: { ...refund, ...over } }))).toEqual(
      refusal("malformed"),
    );
  });
});

test("invented serial numbers only cause one query to WeChat Pay a minute", async () => {
  const shop = await openCallback(wechatpayWithCertificates);
  let fetches = 0;
  const call = changing(shop.call, (answer) => {
    fetches += 1;
    return answer;
  });
  shop.world.pass(61);
  for (let made = 0; made < 20; made += 1) {
    const headers = { ...shop.raw.headers, "wechatpay-serial": `${made}`.padStart(40, "A") };
    expect(await shop.account.verify(call, { ...shop.raw, headers })).toEqual(refusal("unknown_key"));
  }
  expect(fetches).toBe(1);
  expect(await shop.account.verify(call, shop.raw)).toMatchObject({ ok: true });
});

test.each([
  ["stored", 204, ""],
  ["failed", 503, '{"code":"FAIL","message":"failed"}'],
  ["signature", 401, '{"code":"FAIL","message":"signature"}'],
  ["malformed", 400, '{"code":"FAIL","message":"malformed"}'],
] as const)("what was %s gets %i", (outcome, status, body) => {
  expect(wechatpayMerchant.answer(outcome)).toMatchObject({ status, body });
});
