import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import {
  changing,
  newPayment,
  newRefund,
  openShop,
  paidShop,
  type WechatShop,
  wechatpay,
} from "#test/support/gateways/simulated/wechatpay-shop.ts";

const from = new Date("2026-11-19T16:00:00Z");
const to = new Date("2026-11-20T16:00:00Z");
const dayMs = 86_400_000;

async function soldShop() {
  const shop = await paidShop();
  shop.world.pass(600);
  const refund = newRefund(shop.request);
  await shop.account.refund(shop.call, refund);
  await wechatpay.simulateRefund(shop.world, { refundReference: refund.refundReference, outcome: "succeeded" });
  const failed = newRefund(shop.request, { amount: { amount_minor: 100, currency: "CNY" } });
  shop.world.pass(600);
  await shop.account.refund(shop.call, failed);
  await wechatpay.simulateRefund(shop.world, { refundReference: failed.refundReference, outcome: "failed" });
  shop.world.pass(2 * 86_400);
  return { ...shop, refund };
}

const listed = (shop: WechatShop, span = { from, to }, call = shop.call) => shop.account.listSettled?.(call, span);

/** The bill's file, changed on its way. */
const file = (shop: WechatShop, change: (bytes: Buffer) => Buffer) =>
  changing(shop.call, async (answer, url) =>
    url.includes("/billdownload/") ? new Response(new Uint8Array(change(Buffer.from(await answer.arrayBuffer())))) : answer,
  );

describe("what was settled", () => {
  test("on a day in Beijing is read from its bill: payments and refunds, oldest first, without failed refunds", async () => {
    const shop = await soldShop();
    const { request, refund } = shop;
    const paid = await shop.account.query(shop.call, shop.key);
    expect(await listed(shop)).toEqual([
      {
        kind: "payment",
        reference: request.reference,
        providerId: paid.providerId,
        captureId: null,
        amount: request.amount,
        fee: { amount_minor: 53, currency: "CNY" },
        occurredAt: new Date("2026-11-20T08:00:00Z"),
      },
      {
        kind: "refund",
        reference: refund.refundReference,
        providerId: expect.stringMatching(/^503000/),
        captureId: paid.providerId,
        amount: refund.amount,
        occurredAt: new Date("2026-11-20T08:10:00Z"),
      },
    ]);
  });

  test("is cut to the span, and a day without payments has no bill", async () => {
    const shop = await soldShop();
    expect(await listed(shop, { from: new Date("2026-11-20T08:00:01Z"), to })).toHaveLength(1);
    expect(await listed(shop, { from: new Date(from.getTime() - dayMs), to: from })).toEqual([]);
    expect(await listed(shop, { from: new Date(from.getTime() - dayMs), to: new Date(to.getTime() + 1) })).toHaveLength(2);
    expect(await listed(shop, { from: to, to: from })).toEqual([]);
  });

  test("over more days than WeChat Pay has bills for is refused as a whole", async () => {
    const shop = await soldShop();
    const since = new Date(to.getTime() - 100 * dayMs);
    await expect(listed(shop, { from: since, to })).rejects.toMatchObject({ kind: "invalid", code: "too_many_days" });
  });

  test("yesterday isn't ready before ten in the morning", async () => {
    const shop = await paidShop();
    shop.world.pass(10 * 3_600);
    await expect(listed(shop)).rejects.toMatchObject({ kind: "unavailable", code: "STATEMENT_CREATING" });
    shop.world.pass(8 * 3_600);
    expect(await listed(shop)).toHaveLength(1);
  });

  test("for a payment whose title has commas and accents is read completely", async () => {
    const shop = await openShop();
    const request = newPayment(shop, { title: "Tea, `green`,`hot" });
    await shop.account.create(shop.call, request);
    await wechatpay.simulate(shop.world, { reference: request.reference, outcome: "paid" });
    shop.world.pass(2 * 86_400);
    expect(await listed(shop)).toMatchObject([{ reference: request.reference, amount: request.amount }]);
  });

  test.each<[string, [string, boolean][]]>([
    ["SUCCESS", [["refund", false]]],
    ["", [["refund", false]]],
    ["PROCESSING", [["refund", true]]],
    ["FAIL", []],
    ["CHANGE", []],
    ["REFUNDCLOSE", []],
    ["NEITHER", [["unreadable", false]]],
  ])("includes a refund that is %j in the bill as %j: its kind, and whether it's still processing", async (status, expected) => {
    const shop = await soldShop();
    const key = `${shop.account.id}/${shop.refund.refundReference}`;
    await shop.world.documents.put("refund", key, { ...(await shop.world.documents.get<object>("refund", key)), status });
    const [, ...refunds] = (await listed(shop)) ?? [];
    expect(refunds.map((line) => [line.kind, "isProcessing" in line])).toEqual(expected);
  });

  test("is read next to a row that can't be", async () => {
    const shop = await soldShop();
    const { providerId } = await shop.account.query(shop.call, shop.key);
    const key = `${shop.account.id}/${shop.request.reference}`;
    const transaction = await shop.world.documents.get<object>("transaction", key);
    await shop.world.documents.put("transaction", key, { ...transaction, total: 1e15 });
    const [refund, odd] = (await listed(shop)) ?? [];
    expect(refund).toMatchObject({ kind: "refund", reference: shop.refund.refundReference, amount: shop.refund.amount });
    expect(odd).toEqual({ kind: "unreadable", name: providerId, reference: shop.request.reference, providerId, captureId: null });
  });

  test("by another app of the same merchant is omitted, unless the account had that app before", async () => {
    const shop = await soldShop();
    const key = `${shop.account.id}/${shop.request.reference}`;
    const other = { ...(await shop.world.documents.get<object>("transaction", key)), appid: "wx0000000000000000" };
    await shop.world.documents.put("transaction", key, other);
    expect(await listed(shop)).toMatchObject([{ kind: "payment", reference: shop.request.reference }, { kind: "refund" }]);
    await shop.world.documents.put("transaction", key, { ...other, no: "order-17" });
    expect(await listed(shop)).toEqual([]);
  });

  test.each([
    ["another bill than was announced", (bytes: Buffer) => gzipSync(gunzipSync(bytes).toString().replace("88.00", "88.01")), "hash"],
    ["bytes that cannot be unpacked", (bytes: Buffer) => bytes.subarray(0, 40), "malformed_answer"],
    ["nothing", () => Buffer.alloc(0), "hash"],
    ["more than 64 MiB, however small they were packed", () => gzipSync(Buffer.alloc(64 * 1_048_576 + 1)), "too_many_lines"],
  ] as const)("isn't accepted from %s", async (_what, change, code) => {
    const shop = await soldShop();
    await expect(listed(shop, { from, to }, file(shop, change))).rejects.toMatchObject({ kind: "unavailable", code });
  });

  test("is also read from an uncompressed file", async () => {
    const shop = await soldShop();
    expect(await listed(shop, { from, to }, file(shop, gunzipSync))).toHaveLength(2);
  });

  test("is unknown while the file isn't available", async () => {
    const shop = await soldShop();
    const gone = changing(shop.call, (answer, url) => (url.includes("/billdownload/") ? new Response("", { status: 404 }) : answer));
    await expect(listed(shop, { from, to }, gone)).rejects.toMatchObject({ kind: "unavailable", code: "http_404" });
    const away = {
      ...shop.call,
      fetch: (...given: Parameters<typeof fetch>) =>
        String(given[0]).includes("/billdownload/") ? Promise.reject(new TypeError("fetch failed")) : shop.call.fetch(...given),
    };
    await expect(listed(shop, { from, to }, away)).rejects.toMatchObject({ kind: "unavailable", code: "connection" });
  });
});
