import { describe, expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { disputedShops } from "#test/support/gateways/scripted/disputed-shops.ts";
import { pollDueRefunds } from "#test/support/gateways/scripted/gateway-shop.ts";
import { payingGateway } from "#test/support/gateways/scripted/paying-gateway.ts";
import { disputeView } from "../order/views.ts";
import { refundOrder } from "../refund/refund-order.ts";

const gateway = payingGateway();
const app = await testApp({ gateways: { adapters: [gateway.adapter] }, http: { perMinuteUnauthenticated: 100_000 } });
const { ctx } = app;
const { open, orderOf, disputesOf, eventsOf, bookedOf, balanceOf, booksBalance } = disputedShops(app, gateway);
type Shop = Awaited<ReturnType<typeof open>>;

const yuan = (amount_minor: number) => ({ amount_minor, currency: "CNY" });
/** A report at the present time; the clock moves on by ten minutes. */
const report = async (shop: Shop, more: Omit<Parameters<Shop["report"]>[0], "at">) => {
  await shop.report({ at: 0, occurredAt: ctx.now(), ...more });
  app.clock.advance(600_000);
};
const refund = (shop: Shop, amount_minor: number) =>
  refundOrder(ctx, shop.tenant, { order_id: shop.order_id, method: "gateway", amount_minor });

test("a case that the buyer escalates after the merchant's refund takes nothing a second time", async () => {
  const shop = await open();
  const refundedSince = ctx.now();
  await report(shop, { state: "inquiry" });
  await refund(shop, 9_900);
  await report(shop, { state: "opened" });
  expect(await balanceOf(shop)).toBe(-9_900);
  await report(shop, { state: "lost", amount: yuan(9_900), refundedSince });
  expect(await balanceOf(shop)).toBe(0);
  expect(await orderOf(shop)).toMatchObject({ flags: [], amount_refunded_minor: 9_900, amount_disputed_minor: 0 });
  expect(await disputesOf(shop)).toMatchObject([{ status: "won" }]);
  expect((await eventsOf(shop))[0]).toBe("dispute.won");
  await booksBalance();
});

test("a lost case takes what its provider refunded in addition to the merchant's refund, also if it is reported again", async () => {
  const shop = await open();
  const refundedSince = ctx.now();
  await report(shop, { state: "inquiry" });
  await refund(shop, 3_000);
  await report(shop, { state: "opened" });
  for (const reason of ["first", "again"]) await report(shop, { state: "lost", amount: yuan(9_900), refundedSince, reason });
  expect(await bookedOf(shop)).toEqual([-9_900, 9_900, -6_900]);
  expect(await disputesOf(shop)).toMatchObject([{ status: "lost", amount_minor: 6_900 }]);
  expect(await balanceOf(shop)).toBe(0);
  await booksBalance();
});

test("a refund that was made before the case isn't part of what the case returned", async () => {
  const shop = await open();
  await refund(shop, 3_000);
  app.clock.advance(60_000);
  await report(shop, { state: "lost", amount: yuan(6_900), refundedSince: ctx.now() });
  expect(await disputesOf(shop)).toMatchObject([{ status: "lost", amount_minor: 6_900 }]);
  expect(await balanceOf(shop)).toBe(0);
  await booksBalance();
});

test("a refund that was made after the case was lost isn't part of what the case returned, however often it is reported or appealed", async () => {
  const shop = await open();
  const refundedSince = ctx.now();
  const lost = { state: "lost", amount: yuan(4_000), refundedSince } as const;
  await report(shop, { state: "opened", amount: yuan(4_000) });
  const lostAt = ctx.now();
  await report(shop, lost);
  await refund(shop, 4_000);
  app.clock.advance(600_000);
  await report(shop, lost);
  await report(shop, { state: "opened", amount: yuan(4_000) });
  expect((await disputesOf(shop)).map(disputeView)).toMatchObject([{ status: "opened", ended_at: null }]);
  await report(shop, lost);
  await report(shop, lost);
  expect((await disputesOf(shop)).map(disputeView)).toMatchObject([{ status: "lost", amount_minor: 4_000, ended_at: lostAt }]);
  expect(await balanceOf(shop)).toBe(9_900 - 4_000 - 4_000);
  expect(await orderOf(shop)).toMatchObject({ flags: ["disputed"], amount_refunded_minor: 4_000, amount_disputed_minor: 4_000 });
  expect(await eventsOf(shop)).not.toContain("dispute.won");
  await booksBalance();
});

describe.each([
  { what: "less than", refundMinor: 3_000, lostMinor: 4_000 },
  { what: "as much as", refundMinor: 4_000, lostMinor: 4_000 },
])("a refund of $what the case returned that is requested", ({ refundMinor, lostMinor }) => {
  const ended = async (shop: Shop) => {
    expect(await disputesOf(shop)).toMatchObject([{ status: "lost", amount_minor: lostMinor }]);
    expect(await balanceOf(shop)).toBe(9_900 - lostMinor - refundMinor);
    expect(await orderOf(shop)).toMatchObject({ amount_refunded_minor: refundMinor, amount_disputed_minor: lostMinor });
    await booksBalance();
  };

  test("again as soon as the case is lost, because its provider wasn't reached before, isn't part of that", async () => {
    const shop = await open();
    const lost = { state: "lost", amount: yuan(lostMinor), refundedSince: ctx.now() } as const;
    gateway.fault("refund", { kind: "unavailable" });
    expect(await refund(shop, refundMinor)).toMatchObject({ status: "pending" });
    app.clock.advance(600_000);
    await report(shop, { state: "opened", amount: yuan(lostMinor) });
    await pollDueRefunds(app);
    await shop.report({ at: 0, occurredAt: ctx.now(), ...lost });
    await pollDueRefunds(app);
    app.clock.advance(600_000);
    await report(shop, lost);
    await ended(shop);
  });

  test("for the first time as soon as the case is lost isn't part of that", async () => {
    const shop = await open();
    const lost = { state: "lost", amount: yuan(lostMinor), refundedSince: ctx.now() } as const;
    await report(shop, { state: "opened", amount: yuan(lostMinor) });
    await shop.report({ at: 0, occurredAt: ctx.now(), ...lost });
    await refund(shop, refundMinor);
    app.clock.advance(600_000);
    await report(shop, lost);
    await ended(shop);
  });

  test("again before the report of the loss arrived isn't part of that", async () => {
    const shop = await open();
    const lost = {
      state: "lost",
      amount: yuan(lostMinor),
      refundedSince: ctx.now(),
      occurredAt: new Date(ctx.now().getTime() + 60_000),
    } as const;
    gateway.fault("refund", { kind: "unavailable" });
    await refund(shop, refundMinor);
    app.clock.advance(600_000);
    await pollDueRefunds(app);
    await shop.report({ at: 0, ...lost });
    await ended(shop);
  });
});
