import pg from "pg";
import { afterAll, describe, expect, test } from "vitest";
import { type Ctx, type Database, narrow, openDatabase } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { readBooks } from "#test/support/books/books.sql.ts";
import { booksBalanceOf } from "#test/support/books/books-balance.ts";
import { applyReport, storeReport } from "#test/support/gateways/scripted/apply-report.ts";
import { type GatewayShop, gatewayShop } from "#test/support/gateways/scripted/gateway-shop.ts";
import { payingGateway } from "#test/support/gateways/scripted/paying-gateway.ts";
import { startDatabaseProxy } from "#test/support/network/database-proxy.ts";
import type { settleModes } from "#test/support/payments/settle-money.ts";
import { cancelOrder } from "../order/cancel-order.ts";
import { findGatewayPayment } from "../rows/gateway-payments.sql.ts";
import { findOrderRow } from "../rows/orders.sql.ts";
import { simulatePayment } from "../settle/simulate-payment.ts";

/** How many transactions wrote money down. */
let groups = 0;
const gateway = payingGateway();
const app = await testApp({
  gateways: { adapters: [gateway.adapter] },
  probe(text) {
    if (text.includes("insert into received_payments")) groups += 1;
  },
});
const { ctx, database, url } = app;
const raw = new pg.Client(url);
await raw.connect();
afterAll(() => raw.end());

type Started = Awaited<ReturnType<GatewayShop["started"]>>;
type Change = Parameters<typeof gateway.pay>[1];

const open = async () => {
  const shop = await gatewayShop(app);
  return { ...shop, credential: await shop.account("tp_a") };
};
type Shop = Awaited<ReturnType<typeof open>>;
const paid = async (shop: Shop, change: Change = {}): Promise<Started> => {
  const started = await shop.started();
  gateway.pay(started.session.id, change);
  return started;
};
const many = async (shop: Shop, count: number) => {
  const all: Started[] = [];
  for (let at = 0; at < count; at += 1) all.push(await paid(shop));
  return all;
};
const stored = (shop: Shop, { session }: Started) => storeReport(ctx, { gateway, account: shop.credential, reference: session.id });
const storedAll = (shop: Shop, all: readonly Started[]) => Promise.all(all.map((one) => stored(shop, one)));
const statusOf = async (shop: Shop, { order }: Started) => (await findOrderRow(ctx.db, shop.tenant, order.id))?.status;
const callbacksOf = async ({ tenant }: Shop) => (await readBooks(ctx.db, tenant)).callbacks;
const booksBalance = booksBalanceOf(app);

test("what providers report concurrently is settled together, with the payments' rows and the callbacks' in the same transaction", async () => {
  const shop = await open();
  const all = await many(shop, 30);
  const callbacks = await storedAll(shop, all);
  const before = groups;
  await Promise.all(callbacks.map((callback) => applyReport(ctx, { callback, way: "together" })));
  // How many come together depends on the machine; one by one they would be as many as the payments.
  expect(groups - before).toBeLessThan(all.length / 2);
  for (const one of all) {
    expect(await statusOf(shop, one)).toBe("paid");
    const payment = await findGatewayPayment(ctx.db, shop.tenant, one.session.id);
    expect(payment).toMatchObject({ status: "done", settled_id: `cap_${one.session.id}`, paid_minor: 9900 });
  }
  expect(new Set(await callbacksOf(shop))).toEqual(new Set(["testpay payment.updated done applied"]));
  await booksBalance();
});

/** What happens to an order before its payment is reported, and the provider's report. */
const happenings: { change?: Change; before?: (shop: Shop, started: Started) => Promise<unknown> }[] = [
  {},
  { change: { fee: { amount_minor: 60, currency: "CNY" } } },
  { change: { fee: { amount_minor: 8, currency: "EUR" } } },
  { change: { refunded: { amount_minor: 9_900, currency: "CNY" } } },
  { before: (shop, { order }) => cancelOrder(ctx, shop.tenant, { order_id: order.id }) },
  { before: (shop, { order }) => simulatePayment(ctx, shop.tenant, { order_id: order.id }) },
  { before: (shop, { order }) => simulatePayment(ctx, shop.tenant, { order_id: order.id, outcome: "expire" }) },
  {
    async before(shop, one) {
      gateway.pay(one.session.id);
      await applyReport(ctx, { callback: await stored(shop, one), way: "alone" });
    },
  },
];

test("a group of callbacks leaves the same books as one by one", async () => {
  const played = async (way: (typeof settleModes)[number]) => {
    const shop = await open();
    const callbacks = [];
    for (const { change, before } of happenings) {
      const started = await shop.started();
      await before?.(shop, started);
      gateway.pay(started.session.id, change);
      callbacks.push(await stored(shop, started));
    }
    if (way === "together") await Promise.all(callbacks.map((callback) => applyReport(ctx, { callback, way })));
    else for (const callback of callbacks) await applyReport(ctx, { callback, way });
    return readBooks(ctx.db, shop.tenant);
  };
  const alone = await played("alone");
  expect(alone.exceptions).toEqual(["duplicate open 9900 1", "late open 9900 1", "mismatch resolved 9900 refund 2"]);
  expect(alone.transfers.filter((line) => line.startsWith("fee"))).toHaveLength(1);
  expect(await played("together")).toEqual(alone);
  await booksBalance();
});

describe("a callback whose order or payment is locked", () => {
  test.each([
    { what: "order", hold: (one: Started) => ["select from orders where id = $1 for no key update", one.order.id] },
    {
      what: "payment",
      hold: (one: Started) => ["select from gateway_payments where payment_session_id = $1 for no key update", one.session.id],
    },
  ])("$what: it leaves the group, and nothing waits for it", async ({ hold }) => {
    const shop = await open();
    const [busy, ...free] = (await many(shop, 6)) as [Started, ...Started[]];
    const [first, ...others] = await storedAll(shop, [busy, ...free]);
    const [text = "", id] = hold(busy);
    await raw.query("begin");
    await raw.query(text, [id]);
    const late = first === undefined ? Promise.reject(new Error("none")) : applyReport(ctx, { callback: first, way: "together" });
    await Promise.all(others.map((callback) => applyReport(ctx, { callback, way: "together" })));
    expect(await Promise.all(free.map((one) => statusOf(shop, one)))).toEqual(free.map(() => "paid"));
    expect(await statusOf(shop, busy)).toBe("unpaid");
    await raw.query("commit");
    await late;
    expect(await statusOf(shop, busy)).toBe("paid");
    await booksBalance();
  });
});

test("what PostgreSQL refuses of one callback harms no other, and is left to a worker", async () => {
  const shop = await open();
  const all = await many(shop, 8);
  gateway.pay((all[3] as Started).session.id, { paidAt: new Date(8.64e15) });
  const callbacks = await storedAll(shop, all);
  const outcomes = await Promise.allSettled(callbacks.map((callback) => applyReport(ctx, { callback, way: "together" })));
  expect(outcomes.map(({ status }) => status)).toEqual(all.map((_, index) => (index === 3 ? "rejected" : "fulfilled")));
  expect(await Promise.all(all.map((one) => statusOf(shop, one)))).toEqual(all.map((_, index) => (index === 3 ? "unpaid" : "paid")));
  expect((await callbacksOf(shop)).filter((line) => line.endsWith("due"))).toHaveLength(1);
  await booksBalance();
});

test.each(["stop commit", "lose commit"] as const)("%s: every order is paid once, and every callback is recorded", async (mode) => {
  const shop = await open();
  const all = await many(shop, 5);
  const [warm, ...callbacks] = await storedAll(shop, all);
  const proxy = await startDatabaseProxy(url);
  const cut: Database = openDatabase({ url: proxy.url, max: 4, shared: 0, applicationName: "told-cut" });
  const own: Ctx = { ...narrow(ctx, {}, cut), db: cut.db };
  try {
    if (warm !== undefined) await applyReport(own, { callback: warm, way: "together" });
    proxy.mode = mode;
    await Promise.all(callbacks.map((callback) => applyReport(own, { callback, way: "together" })));
    expect(proxy.mode).toBe("pass");
  } finally {
    await cut.close(0);
    await proxy.close();
  }
  expect((await readBooks(ctx.db, shop.tenant)).orders).toEqual(all.map(() => expect.stringMatching(/^paid /)));
  expect(new Set(await callbacksOf(shop))).toEqual(new Set(["testpay payment.updated done applied"]));
  await booksBalance();
});

test("one callback applied by two concurrent processes has one effect", async () => {
  const shop = await open();
  const started = await paid(shop);
  const callback = await stored(shop, started);
  const other = openDatabase({ url, max: 4, applicationName: "told-other" });
  const contexts: Ctx[] = [narrow(ctx, {}, database), { ...narrow(ctx, {}, other), db: other.db }];
  await Promise.all([...contexts, ...contexts].map((on) => applyReport(on, { callback, way: "together" })));
  await other.close();
  expect((await readBooks(ctx.db, shop.tenant)).transfers).toHaveLength(1);
  await booksBalance();
});
