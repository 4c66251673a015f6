import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { disputedShops } from "#test/support/gateways/scripted/disputed-shops.ts";
import { payingGateway } from "#test/support/gateways/scripted/paying-gateway.ts";
import { refundOrder } from "../refund/refund-order.ts";

const gateway = payingGateway();
const app = await testApp({ gateways: { adapters: [gateway.adapter] }, http: { perMinuteUnauthenticated: 100_000 } });
const { ctx } = app;
const { open, orderOf, disputesOf, eventsOf, bookedOf, balanceOf, booksBalance } = disputedShops(app, gateway);
type Shop = Awaited<ReturnType<typeof open>>;

const yuan = (amount_minor: number) => ({ amount_minor, currency: "CNY" });
const refund = (shop: Shop, amount_minor: number) =>
  refundOrder(ctx, shop.tenant, { order_id: shop.order_id, method: "gateway", amount_minor });

test("a case that the buyer escalates after the merchant's refund takes nothing a second time", async () => {
  const shop = await open();
  const refundedSince = ctx.now();
  await shop.report({ at: 1, state: "inquiry" });
  await refund(shop, 9_900);
  await shop.report({ at: 2, state: "opened" });
  expect(await balanceOf(shop)).toBe(-9_900);
  await shop.report({ at: 3, state: "lost", amount: yuan(9_900), refundedSince });
  expect(await balanceOf(shop)).toBe(0);
  expect(await orderOf(shop)).toMatchObject({ flags: [], amount_refunded_minor: 9_900, amount_disputed_minor: 0 });
  expect(await disputesOf(shop)).toMatchObject([{ status: "won" }]);
  expect((await eventsOf(shop))[0]).toBe("dispute.won");
  await booksBalance();
});

test("a lost case takes what its provider refunded in addition to the merchant's refund, also if it is reported again", async () => {
  const shop = await open();
  const refundedSince = ctx.now();
  await shop.report({ at: 1, state: "inquiry" });
  await refund(shop, 3_000);
  await shop.report({ at: 2, state: "opened" });
  for (const at of [3, 4]) await shop.report({ at, state: "lost", amount: yuan(9_900), refundedSince });
  expect(await bookedOf(shop)).toEqual([-9_900, 9_900, -6_900]);
  expect(await disputesOf(shop)).toMatchObject([{ status: "lost", amount_minor: 6_900 }]);
  expect(await balanceOf(shop)).toBe(0);
  await booksBalance();
});

test("a refund that was made before the case isn't part of what the case returned", async () => {
  const shop = await open();
  await refund(shop, 3_000);
  app.clock.advance(60_000);
  await shop.report({ at: 2, state: "lost", amount: yuan(6_900), refundedSince: ctx.now() });
  expect(await disputesOf(shop)).toMatchObject([{ status: "lost", amount_minor: 6_900 }]);
  expect(await balanceOf(shop)).toBe(0);
  await booksBalance();
});
