import { expect, test } from "vitest";
import { createOrder } from "#orders/order/create-order.ts";
import { reportPayment } from "#orders/payment/report-payment.ts";
import { withdrawReport } from "#orders/session/withdraw-report.ts";
import { submitVoucher } from "#orders/voucher/submit-voucher.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { listReviewQueue } from "./list-review-queue.ts";
import { reviewOrder } from "./review-order.ts";

const app = await testApp();
const { ctx, clock } = app;

type Shop = Awaited<ReturnType<typeof app.tenant>>;
const order = async (shop: Shop) => (await createOrder(ctx, shop, { amount_minor: 9900, currency: "CNY" })).order.id;
const report = async (shop: Shop, id: string) => {
  clock.advance(1_000);
  await reportPayment(ctx, shop, { order_id: id, gateway: "wechatpay" });
  return id;
};
const idsOf = async (shop: Shop, query: Partial<Parameters<typeof listReviewQueue>[2]> = {}) =>
  (await listReviewQueue(ctx, shop, { limit: 20, ...query })).rows.map((row) => row.order.id);

test("orders are sorted by their first report, however they were created, until they are decided or withdrawn", async () => {
  const shop = await app.tenant();
  const [first, second, third, fourth] = [await order(shop), await order(shop), await order(shop), await order(shop)];
  for (const id of [third, first, fourth, second]) await report(shop, id);
  // A proof that is sent later doesn't cost the buyer their place.
  await submitVoucher(ctx, shop, { order_id: third, transaction_reference: "42000011" });
  expect(await idsOf(shop)).toEqual([third, first, fourth, second]);
  await reviewOrder(ctx, shop, { order_id: first, decision: "approve" });
  await withdrawReport(ctx, shop, { order_id: second });
  await reviewOrder(ctx, shop, { order_id: third, decision: "reject", reason_code: "unreadable" });
  expect(await idsOf(shop)).toEqual([fourth]);
  await report(shop, third);
  await report(shop, second);
  expect(await idsOf(shop)).toEqual([fourth, third, second]);
});

test("pages continue from an order whether it still waits or was decided, in both directions", async () => {
  const shop = await app.tenant();
  const ids: string[] = [];
  for (let made = 0; made < 5; made += 1) ids.unshift(await order(shop));
  for (const id of ids) await report(shop, id);
  const [first = "", second = "", third = "", fourth = "", fifth = ""] = ids;
  const page = await listReviewQueue(ctx, shop, { limit: 2, total: true });
  expect(page).toMatchObject({ rows: [{ order: { id: first } }, { order: { id: second } }], has_more: true, total_count: 5 });
  await reviewOrder(ctx, shop, { order_id: second, decision: "approve" });
  expect(await idsOf(shop, { starting_after: second, limit: 2 })).toEqual([third, fourth]);
  expect(await idsOf(shop, { ending_before: fifth, limit: 2 })).toEqual([third, fourth]);
  expect(await listReviewQueue(ctx, shop, { ending_before: fourth, limit: 2 })).toMatchObject({ has_more: false, upwards: true });
  expect(await idsOf(shop, { ending_before: fourth })).toEqual([first, third]);
});

test("reports of the same time are on exactly one page each", async () => {
  const shop = await app.tenant();
  const ids = [await order(shop), await order(shop), await order(shop), await order(shop)];
  for (const order_id of ids) await reportPayment(ctx, shop, { order_id, gateway: "alipay" });
  const found: string[] = [];
  for (let after: string | undefined; found.length < 4; after = found.at(-1)) {
    const page = await idsOf(shop, { limit: 1, ...(after === undefined ? {} : { starting_after: after }) });
    expect(page).toHaveLength(1);
    found.push(...page);
  }
  expect([...found].sort()).toEqual([...ids].sort());
});

test("a cursor is an order of this project and environment that was reported", async () => {
  const [shop, other] = [await app.tenant(), await app.tenant()];
  const foreign = await report(other, await order(other));
  for (const starting_after of [foreign, await order(shop), "zzz"])
    await expect(idsOf(shop, { starting_after })).rejects.toMatchObject({ code: "invalid_cursor" });
  expect(await idsOf(shop)).toEqual([]);
  expect(await idsOf({ ...other, livemode: !other.livemode })).toEqual([]);
});
