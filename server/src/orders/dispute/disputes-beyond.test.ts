import { describe, expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { readBooks } from "#test/support/books/books.sql.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { disputedShops } from "#test/support/gateways/scripted/disputed-shops.ts";
import { disputeOf } from "#test/support/gateways/scripted/gateway-deeds.ts";
import { payingGateway } from "#test/support/gateways/scripted/paying-gateway.ts";
import { findFigures } from "../figures/find-figures.ts";
import { createCallbackApplier } from "../gateway/receive-callback.ts";
import { failRefund } from "../refund/fail-refund.ts";
import { refundOrder } from "../refund/refund-order.ts";

const gateway = payingGateway();
const app = await testApp({ gateways: { adapters: [gateway.adapter] }, http: { perMinuteUnauthenticated: 100_000 } });
const { ctx } = app;
const { open, disputesOf, orderOf, casesOf, bookedOf, balanceOf, booksBalance } = disputedShops(app, gateway);

describe("a dispute that the books can't follow is recorded, and left to a person", () => {
  test("of an order that was already refunded: the provider took the money twice, and both are booked", async () => {
    const shop = await open();
    const refund = await refundOrder(ctx, shop.tenant, { method: "manual", order_id: shop.order_id, amount_minor: 9000 });
    await shop.report({ at: 1 });
    expect(await orderOf(shop)).toMatchObject({ amount_refunded_minor: 9000, amount_disputed_minor: 900, flags: ["disputed"] });
    expect(await casesOf(shop)).toMatchObject([{ detail: { reason: "disputed", over_minor: 9000 } }]);
    expect(await balanceOf(shop)).toBe(-9000);
    await booksBalance();
    await failRefund(ctx, shop.tenant, { refund_id: refund.id, failure_code: "returned" });
    expect(await orderOf(shop)).toMatchObject({ amount_refunded_minor: 0, amount_disputed_minor: 9900 });
    await booksBalance();
  });

  test("of a payment that was refunded during an inquiry, and that is lost all the same: the exception shows the excess", async () => {
    const shop = await open();
    await shop.report({ at: 1, state: "inquiry" });
    await refundOrder(ctx, shop.tenant, { order_id: shop.order_id, method: "gateway", amount_minor: 9_000 });
    await shop.report({ at: 2, state: "lost" });
    expect(await casesOf(shop)).toMatchObject([
      { status: "open", detail: { reason: "disputed", dispute_status: "lost", over_minor: 9_000 } },
    ]);
    await shop.report({ at: 3, state: "won" });
    expect(await casesOf(shop)).toMatchObject([{ status: "resolved", resolution: "released" }]);
    await booksBalance();
  });

  test("above what was received", async () => {
    const shop = await open();
    await shop.report({ at: 1, amount: { amount_minor: 12_000, currency: "CNY" } });
    expect(await orderOf(shop)).toMatchObject({ amount_disputed_minor: 9900 });
    expect(await bookedOf(shop)).toEqual([-12_000]);
    expect(await casesOf(shop)).toMatchObject([{ amount_minor: 12_000, detail: { over_minor: 2100 } }]);
    await booksBalance();
  });

  test("in another currency than the payment's", async () => {
    const shop = await open();
    await shop.report({ at: 1, amount: { amount_minor: 1300, currency: "EUR" } });
    expect(await disputesOf(shop)).toMatchObject([{ status: "opened", in_books: false, transaction_id: null }]);
    expect(await bookedOf(shop)).toEqual([]);
    expect(await orderOf(shop)).toMatchObject({ flags: ["disputed"], amount_disputed_minor: 0 });
    expect(await casesOf(shop)).toMatchObject([{ kind: "mismatch", currency: "EUR", detail: { reason: "disputed", in_books: false } }]);
    await booksBalance();
  });

  test("of a payment with a reference of ours that isn't here", async () => {
    const shop = await open();
    const reference = ctx.id("ps");
    await shop.report({ at: 1, payment: { reference, providerId: null, captureId: null } });
    expect(await casesOf(shop)).toMatchObject([{ kind: "unmatched", order_id: null, amount_minor: 9900, detail: { reason: "disputed" } }]);
    await shop.report({ at: 2, state: "won", payment: { reference, providerId: null, captureId: null } });
    expect(await casesOf(shop)).toMatchObject([{ status: "resolved", resolution: "released" }]);
    await booksBalance();
  });

  test("of a payment that the provider doesn't call paid", async () => {
    const shop = await open({ isPaid: false });
    await shop.report({ at: 1 });
    expect(await disputesOf(shop)).toMatchObject([{ in_books: false }]);
    expect(await casesOf(shop)).toMatchObject([{ detail: { reason: "disputed", in_books: false } }]);
    await booksBalance();
  });
});

describe("a dispute of a payment", () => {
  test("whose end wasn't reported causes a query to the provider, and is booked after the money", async () => {
    const shop = await open({ isPaid: false });
    gateway.pay(shop.session_id);
    await shop.report({ at: 1 });
    expect(await orderOf(shop)).toMatchObject({ status: "paid", flags: ["disputed"], amount_disputed_minor: 9900 });
    await booksBalance();
  });

  test("that is identified only by its money is found, and waits if that isn't known yet", async () => {
    const shop = await open({ isPaid: false });
    const payment = { reference: null, providerId: null, captureId: `cap_${shop.session_id}` };
    await shop.report({ at: 1, payment });
    expect(await disputesOf(shop)).toEqual([]);
    gateway.pay(shop.session_id);
    await app.api().call("POST", `/api/payments/testpay/webhook/${shop.credential}`, gateway.callback(shop.session_id));
    app.clock.advance(60_000);
    const applier = createCallbackApplier();
    for (let started = 1; started > 0; await applier.idle()) started = await applier.run(ctx);
    await applier.finish(ctx);
    expect(await disputesOf(shop)).toMatchObject([{ status: "opened", in_books: true }]);
    await booksBalance();
  });

  test("that was reported before the money was in the books takes it once it is reported again", async () => {
    const shop = await open({ isPaid: false });
    await shop.report({ at: 1 });
    expect(await disputesOf(shop)).toMatchObject([{ in_books: false, transaction_id: null }]);
    gateway.pay(shop.session_id);
    await shop.send(gateway.callback(shop.session_id));
    expect(await balanceOf(shop)).toBe(9_900);
    await shop.report({ at: 1 });
    expect(await disputesOf(shop)).toMatchObject([{ in_books: true, of_order: true }]);
    expect(await orderOf(shop)).toMatchObject({ amount_disputed_minor: 9_900 });
    expect(await balanceOf(shop)).toBe(0);
    await shop.report({ at: 1 });
    expect(await balanceOf(shop)).toBe(0);
    await booksBalance();
  });

  test("that is reported with the payment itself, as by providers that are queried, is the same", async () => {
    const shop = await open();
    const report = { kind: "ask", about: { reference: shop.session_id, providerId: null } } as const;
    const send = async () => {
      const { headers, payload } = gateway.callback(shop.session_id, { report });
      await app.api().call("POST", `/api/payments/testpay/webhook/${shop.credential}`, { headers, payload });
    };
    gateway.change(shop.session_id, { disputes: [disputeOf(shop.session_id, { at: 1 })] });
    await send();
    await send();
    expect(await bookedOf(shop)).toEqual([-9900]);
    gateway.change(shop.session_id, { disputes: [disputeOf(shop.session_id, { at: 2, state: "won" })] });
    await send();
    expect(await bookedOf(shop)).toEqual([-9900, 9900]);
    await booksBalance();
  });

  test("that is reported together with the payment is recorded after the money", async () => {
    const shop = await open({ isPaid: false });
    gateway.pay(shop.session_id, { disputes: [disputeOf(shop.session_id, { at: 1 })] });
    await shop.send(gateway.callback(shop.session_id));
    expect(await orderOf(shop)).toMatchObject({ status: "paid", flags: ["disputed"], amount_disputed_minor: 9_900 });
    await booksBalance();
  });

  test("whose money is another account's isn't ours either", async () => {
    const shop = await open({ isPaid: false });
    gateway.pay(shop.session_id, { account: "tp_strange", disputes: [disputeOf(shop.session_id, { at: 1 })] });
    await shop.send(gateway.callback(shop.session_id));
    expect(await disputesOf(shop)).toEqual([]);
    expect(await casesOf(shop)).toMatchObject([{ detail: { reason: "account" } }]);
    await booksBalance();
  });

  test("of another program in the same account changes nothing", async () => {
    const shop = await open();
    for (const payment of [
      { reference: "order-17", providerId: null, captureId: null },
      { reference: null, providerId: null, captureId: "cap_strange" },
    ])
      await shop.report({ at: 1, payment, providerDisputeId: "dp_strange" });
    expect(await casesOf(shop)).toEqual([]);
    expect(await runStatement(ctx.db, "select from disputes where project_id = ?", shop.tenant.project_id)).toEqual([]);
  });

  test("on another account than the one that it was paid to is left to a person, and takes nothing", async () => {
    const shop = await open();
    const key = "tp_another";
    const other = await shop.account(key);
    const report = { kind: "dispute", dispute: disputeOf(shop.session_id, { at: 1 }) } as const;
    const { headers, payload } = gateway.callback(shop.session_id, { report, secret: `secret of ${key}` });
    await app.api().call("POST", `/api/payments/testpay/webhook/${other}`, { headers, payload });
    expect(await bookedOf(shop)).toEqual([]);
    expect(await orderOf(shop)).toMatchObject({ flags: [] });
    expect(await casesOf(shop)).toMatchObject([{ kind: "unmatched", order_id: null }]);
  });
});

test("a forged callback of a dispute leaves only a stray", async () => {
  const shop = await open();
  const real = gateway.callback(shop.session_id, { report: { kind: "dispute", dispute: disputeOf(shop.session_id, { at: 1 }) } });
  const url = `/api/payments/testpay/webhook/${shop.credential}`;
  const before = await readBooks(ctx.db, shop.tenant);
  for (const forged of [
    { ...real, headers: { "content-type": "application/json" } },
    { ...real, payload: real.payload.replace("9900", "9901") },
    { ...real, payload: real.payload.replace("opened", "lost") },
    gateway.callback(shop.session_id, {
      report: { kind: "dispute", dispute: disputeOf(shop.session_id, { at: 1 }) },
      secret: "secret of tp_0",
    }),
  ])
    expect(await app.api().call("POST", url, forged)).toMatchObject({ status: 401 });
  expect(await readBooks(ctx.db, shop.tenant)).toEqual(before);
  expect(await disputesOf(shop)).toEqual([]);
});

test("figures show what disputes took, and what was returned, on the day it happened", async () => {
  const shop = await open();
  const from = new Date(app.clock.now().getTime() - 86_400_000);
  await shop.report({ at: 1 });
  app.clock.advance(86_400_000);
  await shop.report({ at: 2, state: "won" });
  const figures = await findFigures(ctx, shop.tenant, { from, to: new Date(app.clock.now().getTime() + 1_000), time_zone: "UTC" });
  expect(figures.days.map(({ paid_minor, disputed_minor }) => [paid_minor, disputed_minor])).toEqual([
    [9900, 9900],
    [0, -9900],
  ]);
  expect(figures.channels).toMatchObject([{ gateway: "testpay", paid_minor: 9900, disputed_minor: 0 }]);
});
