import { describe, expect, test } from "vitest";
import { drawQrPng } from "#assets/index.ts";
import { startPayment } from "#orders/index.ts";
import { type TestTenant, testApp } from "#test/support/app/test-app.ts";
import { payShop } from "#test/support/payments/pay-shop.ts";
import { photo, poster } from "#test/support/pictures/pictures.ts";
import { refusalsIn } from "#test/support/refusals/refusals.ts";

const app = await testApp({ http: { perMinuteUnauthenticated: 1_000 } });
const refusals = refusalsIn(app);

const wechat = "wxp://f2f0AbCdEfGh1234567890-_xyzXYZ123456";
const alipay = "HTTPS://QR.ALIPAY.COM/FKX012345ABCDEFGHIJ";
const fixed = "wxp://f2f1AbCdEfGh1234567890-_xyzXYZ123456";

const profiles = (shop: TestTenant) => `/api/v1/projects/${shop.project_id}/collection-profiles`;
const put = (shop: TestTenant, body: object, options: { channel?: string; version?: string } = {}) =>
  app
    .api(shop.key)
    .put(
      `${profiles(shop)}/${options.channel ?? "wechat"}`,
      body,
      options.version === undefined ? {} : { headers: { "if-match": options.version } },
    );

async function uploaded(shop: TestTenant, picture: Uint8Array, purpose = "collection_qr"): Promise<string> {
  return (await app.api(shop.key).upload(`/api/v1/projects/${shop.project_id}/assets/upload`, picture, { purpose })).body.id;
}

refusals("GET /api/v1/projects/:projectId/collection-profiles", () => ({}), [
  { name: "a cursor that names nothing", query: "starting_after=cp_none", status: 400, code: "invalid_cursor", param: "starting_after" },
  { name: "two cursors", query: "starting_after=a&ending_before=b", status: 400, code: "parameter_conflict" },
]);

refusals("GET /api/v1/projects/:projectId/collection-profiles/:channel", () => ({ params: { channel: "alipay" } }), [
  { name: "a channel that was never configured", status: 404, code: "resource_missing", param: "channel" },
  { name: "the gateway's name for a channel", params: { channel: "wechatpay" }, status: 404, code: "resource_missing", param: "channel" },
]);

/** The good request with a picture in place of the text. */
const pictured =
  (draw: () => Promise<Uint8Array> | Uint8Array, more: object = {}) =>
  async (shop: TestTenant) => ({ body: { qr_asset_id: await uploaded(shop, await draw()), ...more } });
const pictureAlone = { allow_image_only: true };
const undecodable = { status: 422, code: "qr_not_decodable", param: "qr_asset_id" };
const otherWallet = { status: 422, code: "qr_channel_mismatch" };
const invalid = { status: 400, code: "parameter_invalid" };
const contradicted = { status: 400, code: "parameter_conflict", param: "qr_payload" };
const typed = { params: { channel: "wechat" }, body: { qr_payload: wechat } };
refusals("PUT /api/v1/projects/:projectId/collection-profiles/:channel", () => typed, [
  { name: "an unknown channel", params: { channel: "paypal" }, status: 404, code: "resource_missing", param: "channel" },
  { name: "neither text nor picture", body: {}, status: 400, code: "parameter_missing", param: "qr_asset_id" },
  { name: "a picture that does not exist", body: { qr_asset_id: "ast_none" }, status: 404, code: "resource_missing", param: "qr_asset_id" },
  { name: "a LIVE code from an API key", tenant: { livemode: true }, status: 403, code: "session_required" },
  { name: "a version never seen", headers: { "if-match": "7" }, status: 409, code: "version_conflict" },
  { name: "a version that is none", headers: { "if-match": "*" }, ...invalid, param: "If-Match" },
  { name: "4 minutes to pay", body: { qr_payload: wechat, session_minutes: 4 }, ...invalid, param: "session_minutes" },
  { name: "a matching mode that is none", body: { qr_payload: wechat, matching: { mode: "magic" } }, ...invalid, param: "matching.mode" },
  {
    name: "an unknown limit",
    body: { qr_payload: wechat, limits: { max: 1 } },
    status: 400,
    code: "parameter_unknown",
    param: "limits.max",
  },
  {
    name: "limits upside down",
    body: { qr_payload: wechat, limits: { min_minor: 500, max_minor: 100 } },
    status: 400,
    code: "parameter_conflict",
    param: "limits.max_minor",
  },
  { name: "a language that is none", body: { qr_payload: wechat, instructions: { "in English": "Pay." } }, ...invalid },
  { name: "the code of the other wallet", body: { qr_payload: alipay }, ...otherWallet, param: "qr_payload" },
  { name: "an order's code", body: { qr_payload: "weixin://wxpay/bizpayurl?pr=abc123" }, status: 422, code: "qr_order_bound" },
  { name: "a picture without a code", given: pictured(() => photo(96, 96)), ...undecodable },
  { name: "a picture with two codes of the wallet", given: pictured(() => poster(wechat, `${wechat}2`)), ...undecodable },
  {
    name: "two codes of the wallet, although the picture alone would do",
    given: pictured(() => poster(wechat, `${wechat}2`), pictureAlone),
    ...undecodable,
  },
  {
    name: "codes of which none receives money, although the picture alone would do",
    given: pictured(() => poster(alipay, "https://example.com"), pictureAlone),
    ...otherWallet,
    param: "qr_asset_id",
  },
  {
    name: "an order's code, although the picture alone would do",
    given: pictured(() => drawQrPng("weixin://wxpay/bizpayurl?pr=abc123"), pictureAlone),
    status: 422,
    code: "qr_order_bound",
  },
  ...[
    { name: "a rule for a field that there is not", rule: { field: "amount", text: "5.20" }, param: "ignore_rules[0].field" },
    { name: "a rule that looks for nothing", rule: { field: "word", text: " " }, param: "ignore_rules[0].text" },
    { name: "a rule without a text", rule: { field: "word" }, code: "parameter_missing", param: "ignore_rules[0].text" },
    {
      name: "a rule with more than its two fields",
      rule: { field: "word", text: "x", amount: 1 },
      code: "parameter_unknown",
      param: "ignore_rules[0].amount",
    },
  ].map(({ rule, ...row }) => ({ ...invalid, body: { qr_payload: wechat, ignore_rules: [rule] }, ...row })),
  { name: "a payment code", body: { qr_payload: "1345 6789 0123 4567 89" }, status: 422, code: "qr_payment_code", param: "qr_payload" },
  {
    name: "a red packet",
    params: { channel: "alipay" },
    body: { qr_payload: "https://qr.alipay.com/c1x012345abcdefghijk" },
    ...otherWallet,
  },
  { name: "a code with an amount", body: { qr_payload: fixed }, status: 422, code: "qr_fixed_amount", param: "confirm_fixed_amount" },
  {
    name: "a text that none of the picture's codes says",
    given: pictured(() => poster(wechat, alipay), { qr_payload: `${wechat}x` }),
    ...contradicted,
  },
  {
    name: "a picture uploaded for something else",
    given: async (shop) => ({ body: { qr_asset_id: await uploaded(shop, drawQrPng(wechat), "logo") } }),
    ...invalid,
    param: "qr_asset_id",
  },
  {
    name: "a picture that says something else than the text",
    given: pictured(() => drawQrPng(wechat), { qr_payload: `${wechat}x` }),
    ...contradicted,
  },
]);

describe("a collection profile", () => {
  test("preserves the capitals of an Alipay code as printed", async () => {
    const shop = await app.tenant();
    const answer = await put(shop, { qr_asset_id: await uploaded(shop, drawQrPng(alipay)) }, { channel: "alipay" });
    expect(answer).toMatchObject({
      status: 200,
      body: { object: "collection_profile", channel: "alipay", qr_payload: alipay, enabled: true, version: 1 },
    });
    expect(answer.body.notice["zh-CN"]).toContain("个人收款码");
    expect((await app.api(shop.key).get(`${profiles(shop)}/alipay`)).body).toMatchObject({ qr_payload: alipay });
  });

  test("takes the code of its wallet from a poster that shows both", async () => {
    const shop = await app.tenant();
    const picture = await uploaded(shop, await poster(alipay, wechat, "https://example.com"));
    expect((await put(shop, { qr_asset_id: picture })).body).toMatchObject({ qr_payload: wechat, qr_asset_id: picture });
    expect((await put(shop, { qr_asset_id: picture, qr_payload: alipay }, { channel: "alipay" })).body).toMatchObject({
      qr_payload: alipay,
    });
  });

  test("accepts a pasted text without the blanks, line ends and quotes around it", async () => {
    const shop = await app.tenant();
    expect((await put(shop, { qr_payload: `“ ${wechat}\r\n”` })).body).toMatchObject({ qr_payload: wechat, code_kind: "personal" });
  });

  test("reports that a code is a business code", async () => {
    const shop = await app.tenant();
    const text = "https://payapp.wechatpay.cn/sjt/qr/AQFaBcD12eFgHiJkLmNo";
    expect((await put(shop, { qr_payload: text })).body).toMatchObject({ qr_payload: text, code_kind: "business" });
  });

  test("asks once about a code with an amount", async () => {
    const shop = await app.tenant();
    expect((await put(shop, { qr_payload: fixed, confirm_fixed_amount: true })).body).toMatchObject({
      qr_payload: fixed,
      code_kind: "fixed_amount",
    });
    expect((await put(shop, { qr_payload: fixed, payee_name: "*明" })).body).toMatchObject({ qr_payload: fixed, payee_name: "*明" });
  });

  test("stores only the picture on request", async () => {
    const shop = await app.tenant();
    const picture = await uploaded(shop, await photo(96, 96));
    expect((await put(shop, { qr_asset_id: picture, allow_image_only: true })).body).toMatchObject({
      qr_payload: null,
      qr_asset_id: picture,
    });
  });

  test("is replaced completely: what is omitted is reset to its default", async () => {
    const shop = await app.tenant();
    const rules = {
      payee_name: "*明",
      session_minutes: 45,
      matching: { mode: "unique_amount", max_offset_minor: 9, strict: true },
      limits: { max_minor: 50_000 },
    };
    expect((await put(shop, { qr_payload: wechat, instructions: { en: "Pay." }, enabled: false, ...rules })).body).toMatchObject({
      ...rules,
      enabled: false,
    });
    expect((await put(shop, { qr_payload: wechat })).body).toMatchObject({
      version: 2,
      enabled: true,
      payee_name: null,
      instructions: {},
      session_minutes: 30,
      matching: { mode: "exact", max_offset_minor: 99, strict: false },
      limits: { min_minor: null, max_minor: null, daily_total_minor: null },
    });
  });

  test("has the given rules, which set income aside, and retains them if a change omits them", async () => {
    const shop = await app.tenant();
    const ignore_rules = [
      { field: "type", text: "红包" },
      { field: "payer", text: "妈妈" },
      { field: "word", text: "聚餐" },
    ];
    expect((await put(shop, { qr_payload: wechat, ignore_rules })).body).toMatchObject({ ignore_rules });
    expect((await put(shop, { qr_payload: wechat, payee_name: "*明" })).body).toMatchObject({ ignore_rules });
    const occurred_at = app.ctx.now().toISOString();
    const record = async (amount_minor: number, more: object) =>
      (
        await app
          .api(shop.key)
          .post(`/api/v1/projects/${shop.project_id}/receipts`, { channel: "wechat", amount_minor, occurred_at, ...more })
      ).body;
    expect([
      await record(520, { payer_hint: "妈妈" }),
      await record(521, { remark: "周五聚餐" }),
      await record(522, { payer_hint: "李雷" }),
    ]).toMatchObject([
      { status: "ignored", decision_reason: "rule payer: 妈妈" },
      { status: "ignored", decision_reason: "rule word: 聚餐" },
      { status: "unmatched" },
    ]);
    expect((await put(shop, { qr_payload: wechat, ignore_rules: [] })).body).toMatchObject({ ignore_rules: [] });
    expect(await record(523, { payer_hint: "妈妈" })).toMatchObject({ status: "unmatched" });
  });

  test("isn't overwritten by someone who saw an older version", async () => {
    const shop = await app.tenant();
    await put(shop, { qr_payload: wechat });
    expect((await put(shop, { qr_payload: wechat, payee_name: "first" }, { version: '"1"' })).body.version).toBe(2);
    expect((await put(shop, { qr_payload: wechat, payee_name: "second" }, { version: "1" })).body.error.code).toBe("version_conflict");
  });

  test("set several times concurrently is one, each having overwritten the previous one", async () => {
    const shop = await app.tenant();
    const answers = await Promise.all(Array.from({ length: 8 }, () => put(shop, { qr_payload: wechat })));
    expect(answers.map(({ body }) => body.version).sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect((await app.api(shop.key).get(profiles(shop))).body.data).toHaveLength(1);
  });

  test("retains its picture until another replaces it", async () => {
    const shop = await app.tenant();
    const first = await uploaded(shop, drawQrPng(wechat));
    await put(shop, { qr_asset_id: first });
    expect((await app.api(shop.key).delete(`/api/v1/assets/${first}`)).body.error.code).toBe("asset_in_use");
    await put(shop, { qr_payload: wechat });
    expect((await app.api(shop.key).delete(`/api/v1/assets/${first}`)).status).toBe(200);
  });

  test("is separate in TEST and in LIVE", async () => {
    const shop = await app.tenant();
    await put(shop, { qr_payload: wechat });
    const live = { ...(await app.key({ project_id: shop.project_id, livemode: true })), project_id: shop.project_id };
    expect((await app.api(live.key).get(`${profiles(shop)}/wechat`)).body.error.code).toBe("resource_missing");
    expect((await app.api(shop.key).get(`${profiles(shop)}?include=total_count`)).body).toMatchObject({ has_more: false, total_count: 1 });
  });

  test("pages like every other list", async () => {
    const shop = await app.tenant();
    await put(shop, { qr_payload: wechat });
    await put(shop, { qr_payload: alipay }, { channel: "alipay" });
    const api = app.api(shop.key);
    const first = (await api.get(`${profiles(shop)}?limit=1`)).body;
    expect(first).toMatchObject({ has_more: true, data: [{ channel: "alipay" }] });
    const second = (await api.get(`${profiles(shop)}?limit=1&starting_after=${first.next_cursor}`)).body;
    expect(second).toMatchObject({ has_more: false, next_cursor: null, data: [{ channel: "wechat" }] });
    expect((await api.get(`${profiles(shop)}?ending_before=${second.data[0].id}`)).body.data).toMatchObject([{ channel: "alipay" }]);
  });
});

test("a price is crowded once 70 % of the amounts that may be requested for it are in use on its account, whichever project requests them", async () => {
  const { tenant, order } = await payShop(app, { matching: { mode: "unique_amount", max_offset_minor: 10 } });
  const other = await payShop(app, { merchant_id: tenant.merchant_id, matching: { mode: "unique_amount", max_offset_minor: 10 } });
  const pay = async (shop: typeof other, amount_minor: number) => {
    const made = await shop.order({ amount_minor });
    await startPayment(app.ctx, shop.tenant, { order_id: made.order.id, gateway: "wechatpay" });
  };
  const crowded = async (shop: TestTenant) => (await app.api(shop.key).get(`${profiles(shop)}/wechat`)).body.crowded_prices;
  for (let count = 0; count < 3; count += 1) for (const shop of [{ tenant, order }, other]) await pay(shop, 5_000);
  expect(await crowded(tenant)).toEqual([]);
  await pay(other, 5_000);
  await pay(other, 9_900);
  expect(await crowded(tenant)).toEqual([{ amount_minor: 5_000, amounts_in_use: 7, amounts_total: 10 }]);
  for (let count = 0; count < 4; count += 1) await pay(other, 5_000);
  // Beyond the last one a code is asked for, which takes no amount.
  expect(await crowded(other.tenant)).toEqual([{ amount_minor: 5_000, amounts_in_use: 10, amounts_total: 10 }]);
  // A 5 % of 20 fen is one fen.
  await pay({ tenant, order }, 20);
  expect(await crowded(tenant)).toContainEqual({ amount_minor: 20, amounts_in_use: 1, amounts_total: 1 });
  app.clock.advance(3 * 86_400_000);
  expect(await crowded(tenant)).toEqual([]);
});
