import { expect, test } from "vitest";
import type { Tenant } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { createOrder } from "../order/create-order.ts";
import { failRefund } from "../refund/fail-refund.ts";
import { refundOrder } from "../refund/refund-order.ts";
import { updateOrder } from "../rows/orders.sql.ts";
import { settle } from "../settle/settle.ts";
import { simulatePayment } from "../settle/simulate-payment.ts";
import type { SimulatedOutcome } from "../settle/simulated-money.ts";
import { findFigures } from "./find-figures.ts";

const { ctx, clock, tenant } = await testApp();
const day = (name: string) => new Date(`${name}T00:00:00Z`);
const november = { from: day("2026-11-01"), to: day("2026-12-01"), time_zone: "UTC" };

async function anOrder(shop: Tenant, amount_minor: number, ...outcomes: SimulatedOutcome[]) {
  const { order } = await createOrder(ctx, shop, { amount_minor, currency: "CNY" });
  for (const outcome of outcomes) await simulatePayment(ctx, shop, { order_id: order.id, outcome });
  return order;
}

test("a channel's figures are of the money that arrived by it, whatever method was tried before", async () => {
  const shop = await tenant();
  await anOrder(shop, 1000, "paid");
  // The simulator tries by WeChat Pay.
  for (const { id, amount_minor } of [await anOrder(shop, 300, "failed"), await anOrder(shop, 200)]) {
    const money = { order_id: id, session_id: null, gateway: "alipay", external_id: ctx.id("req"), amount_minor, currency: "CNY" };
    await ctx.transact((tx) => settle(tx, ctx, { tenant: shop, money: { ...money, source: "callback", occurred_at: ctx.now() } }));
  }
  expect(await findFigures(ctx, shop, november)).toMatchObject({
    days: [{ day: "2026-11-20", paid_count: 3, paid_minor: 1500 }],
    channels: [
      { gateway: "wechatpay", currency: "CNY", paid_count: 1, paid_minor: 1000 },
      { gateway: "alipay", currency: "CNY", paid_count: 2, paid_minor: 500 },
    ],
  });
});

test("refunded money is shown next to what was received, on the day of the refund and with the gateway it arrived by", async () => {
  const shop = await tenant();
  clock.set(day("2026-11-20"));
  const order = await anOrder(shop, 1000, "paid");
  clock.set(day("2026-11-22"));
  await refundOrder(ctx, shop, { order_id: order.id, amount_minor: 300 });
  const { id } = await refundOrder(ctx, shop, { order_id: order.id, amount_minor: 200 });
  await failRefund(ctx, shop, { refund_id: id, failure_code: "not_sent" });
  const { days, channels } = await findFigures(ctx, shop, november);
  expect(days).toEqual([
    { day: "2026-11-20", currency: "CNY", paid_count: 1, paid_minor: 1000, refunded_minor: 0, disputed_minor: 0 },
    { day: "2026-11-22", currency: "CNY", paid_count: 0, paid_minor: 0, refunded_minor: 300, disputed_minor: 0 },
  ]);
  expect(channels).toEqual([
    { gateway: "wechatpay", currency: "CNY", paid_count: 1, paid_minor: 1000, refunded_minor: 300, disputed_minor: 0 },
  ]);
});

test("what a process of the previous version settles is in the channel of its last attempt, and without one only by day", async () => {
  const shop = await tenant();
  for (const order of [await anOrder(shop, 300, "failed"), await anOrder(shop, 200)])
    await ctx.transact((tx) => updateOrder(tx, order, { from: ["unpaid"], to: "paid", receivedMinor: order.amount_minor }));
  expect(await findFigures(ctx, shop, november)).toMatchObject({
    days: [{ paid_count: 2, paid_minor: 500 }],
    channels: [{ gateway: "wechatpay", paid_count: 1, paid_minor: 300 }],
  });
});

test.each([
  { name: "set back at one o'clock", zone: "America/Havana", midnight: "2026-11-01T04:00:00Z", last: "2026-11-02T04:59:59Z" },
  { name: "set back at midnight", zone: "Africa/Cairo", midnight: "2026-10-29T22:00:00Z", last: "2026-10-30T21:59:59Z" },
  { name: "set forward at midnight", zone: "Africa/Cairo", midnight: "2026-04-23T22:00:00Z", last: "2026-04-24T20:59:59Z" },
  { name: "left alone", zone: "Asia/Shanghai", midnight: "2026-11-19T16:00:00Z", last: "2026-11-20T15:59:59Z" },
])("a day begins and ends at the reader's midnight where clocks are $name", async ({ zone, midnight, last }) => {
  const shop = await tenant();
  const start = new Date(midnight).getTime();
  for (const [at, amount] of [
    [new Date(start - 1), 1],
    [new Date(start), 20],
    [new Date(start + 1_800_000), 300],
    [new Date(last), 4000],
    [new Date(new Date(last).getTime() + 1_000), 50000],
  ] as const) {
    clock.set(at);
    await anOrder(shop, amount, "paid");
  }
  const { days } = await findFigures(ctx, shop, {
    from: new Date(start - 5 * 86_400_000),
    to: new Date(start + 5 * 86_400_000),
    time_zone: zone,
  });
  expect(days.map(({ paid_minor }) => paid_minor)).toEqual([1, 4320, 50000]);
});
