import { expect, test } from "vitest";
import { house } from "#test/house.ts";
import { auditBooks } from "../audit-books.ts";
import { listExceptions } from "../exception/list-exceptions.ts";
import { resolveException } from "../exception/resolve-exception.ts";
import { cancelOrder } from "../order/cancel-order.ts";
import { createOrder } from "../order/create-order.ts";
import { findOrder } from "../order/find-order.ts";
import { listOrderEvents } from "../order/list-parts.ts";
import { reportPayment } from "../session/report-payment.ts";
import type { OrderRow } from "../shapes.ts";
import type { Money } from "./decide.ts";
import { reviewOrder } from "./review-order.ts";
import { settle } from "./settle.ts";
import { simulatePayment } from "./simulate-payment.ts";

const { ctx, tenant } = await house();
const shop = await tenant();

const anOrder = async (amount_minor = 9900, reference?: string) =>
  (await createOrder(ctx, shop, { amount_minor, currency: "CNY", ...(reference === undefined ? {} : { reference }) })).order;
const moneyFor = (order: OrderRow, change: Partial<Money> = {}): Money => ({
  order_id: order.id,
  session_id: null,
  gateway: "wechatpay",
  external_id: ctx.id("req"),
  amount_minor: order.amount_minor,
  currency: order.currency,
  source: "callback",
  occurred_at: ctx.now(),
  ...change,
});
const pay = (money: Money) => ctx.transact((tx) => settle(tx, ctx, { tenant: shop, money }));
const expire = (order: OrderRow) => simulatePayment(ctx, shop, { order_id: order.id, outcome: "expire" });
const eventsOf = async (id: string) => (await listOrderEvents(ctx, shop, { order_id: id, limit: 100 })).rows.map((row) => row.event).reverse();
const booksBalance = async () => expect(await auditBooks(ctx)).toEqual([]);

test("the exact amount pays the order once, in one commit with ledger and events", async () => {
  const order = await anOrder();
  const settled = await pay(moneyFor(order));
  expect(settled).toMatchObject({ outcome: "paid", repeat: false, order: { status: "paid", version: 2, amount_received_minor: 9900, flags: [] } });
  expect(await eventsOf(order.id)).toEqual(["order.created", "order.paid", "transaction.completed"]);
  await booksBalance();
});

test("a repeat of the same external id, a thousand times and at once, has one effect", async () => {
  const order = await anOrder();
  const money = moneyFor(order);
  const settled = await Promise.all(Array.from({ length: 200 }, () => pay(money)));
  expect(settled.filter((one) => !one.repeat)).toHaveLength(1);
  expect((await findOrder(ctx, shop, order.id)).order).toMatchObject({ status: "paid", version: 2, amount_received_minor: 9900 });
  await booksBalance();
});

test("two different payments of one order at once: one pays, the other is held as a duplicate", async () => {
  const order = await anOrder();
  const settled = await Promise.all([pay(moneyFor(order)), pay(moneyFor(order, { gateway: "alipay" }))]);
  expect(settled.map((one) => one.outcome).sort()).toEqual(["exception", "paid"]);
  expect((await findOrder(ctx, shop, order.id)).order).toMatchObject({ status: "paid", flags: ["duplicate_payment"] });
  await booksBalance();
});

test("late money pays an expired order and says so", async () => {
  const order = await anOrder();
  await expire(order);
  expect(await pay(moneyFor(order))).toMatchObject({ outcome: "paid", order: { status: "paid", flags: ["paid_late"], failure_code: null, failed_at: null } });
  await booksBalance();
});

test("late money whose reference was taken meanwhile becomes an exception, never an error", async () => {
  const order = await anOrder(9900, "INV-7");
  await expire(order);
  await anOrder(9900, "INV-7");
  const settled = await pay(moneyFor(order));
  expect(settled).toMatchObject({ outcome: "exception", exception: { kind: "late", detail: { reason: "reference_taken" } } });
  expect((await findOrder(ctx, shop, order.id)).order.status).toBe("expired");
  await booksBalance();
});

test("money for a canceled order is held, and the order stays canceled", async () => {
  const order = await anOrder();
  await cancelOrder(ctx, shop, { order_id: order.id });
  expect(await pay(moneyFor(order))).toMatchObject({ outcome: "exception", exception: { kind: "late", order_id: order.id } });
  expect((await findOrder(ctx, shop, order.id)).order.status).toBe("canceled");
  await booksBalance();
});

test("money without an order, or in another currency, is held", async () => {
  const order = await anOrder();
  expect(await pay(moneyFor(order, { order_id: null }))).toMatchObject({ outcome: "exception", exception: { kind: "unmatched", order_id: null } });
  expect(await pay(moneyFor(order, { currency: "USD" }))).toMatchObject({ outcome: "exception", exception: { kind: "mismatch" } });
  await booksBalance();
});

test("three short payments add up to a paid order", async () => {
  const order = await anOrder(1000);
  for (const amount_minor of [400, 300])
    expect(await pay(moneyFor(order, { amount_minor }))).toMatchObject({ outcome: "underpaid", order: { status: "unpaid", flags: ["underpaid"] } });
  expect(await pay(moneyFor(order, { amount_minor: 350 }))).toMatchObject({
    outcome: "paid",
    order: { flags: ["overpaid"], amount_received_minor: 1050 },
    exception: { kind: "overpaid", amount_minor: 50 },
  });
  await booksBalance();
});

test("a person's yes to a short payment pays the order, the rest granted", async () => {
  const order = await anOrder(1000);
  const { exception } = await pay(moneyFor(order, { amount_minor: 990 }));
  await resolveException(ctx, shop, { exception_id: exception?.id ?? "", action: "accept" });
  expect((await findOrder(ctx, shop, order.id)).order).toMatchObject({ status: "paid", amount_received_minor: 990, flags: ["manually_verified"] });
  await booksBalance();
});

test("two resolvers of one exception: the second is told", async () => {
  const order = await anOrder(1000);
  const { exception } = await pay(moneyFor(order, { order_id: null, amount_minor: 1500 }));
  const accept = () =>
    resolveException(ctx, shop, { exception_id: exception?.id ?? "", action: "accept", order_id: order.id }).then(
      () => "done",
      (error) => error.code,
    );
  expect((await Promise.all([accept(), accept()])).sort()).toEqual(["done", "review_exists"]);
  expect((await findOrder(ctx, shop, order.id)).order).toMatchObject({ status: "paid", flags: ["manually_verified", "overpaid"] });
  const open = await listExceptions(ctx, shop, { limit: 100, filters: { order_id: order.id, status: ["open"] } });
  expect(open.rows).toMatchObject([{ kind: "overpaid", amount_minor: 500 }]);
  await booksBalance();
});

test("an ignored exception keeps its money in suspense, explained", async () => {
  const order = await anOrder();
  const { exception } = await pay(moneyFor(order, { order_id: null }));
  expect(await resolveException(ctx, shop, { exception_id: exception?.id ?? "", action: "ignore", note: "private transfer" })).toMatchObject({
    status: "resolved",
    resolution: "ignore",
  });
  await booksBalance();
});

test("a short payment that is ignored no longer counts, and the order can still be paid in full", async () => {
  const order = await anOrder(1000);
  const { exception } = await pay(moneyFor(order, { amount_minor: 900 }));
  await resolveException(ctx, shop, { exception_id: exception?.id ?? "", action: "ignore" });
  expect((await findOrder(ctx, shop, order.id)).order).toMatchObject({ status: "unpaid", amount_received_minor: 0, flags: [] });
  const { order: after } = await simulatePayment(ctx, shop, { order_id: order.id });
  expect(after).toMatchObject({ status: "paid", amount_received_minor: 1000 });
  await booksBalance();
});

test("short money beside a payment under review is held, and the review goes on", async () => {
  const order = await anOrder(1000);
  await reportPayment(ctx, shop, { order_id: order.id, gateway: "alipay" });
  expect(await pay(moneyFor(order, { amount_minor: 400 }))).toMatchObject({ outcome: "underpaid", order: { status: "pending_verify", flags: ["underpaid"] } });
  await reportPayment(ctx, shop, { order_id: order.id });
  expect((await reviewOrder(ctx, shop, { order_id: order.id, decision: "approve", received_amount_minor: 600 })).order).toMatchObject({ status: "paid" });
  await booksBalance();
});

test("every booked transfer is told, so that what was told sums to what came in", async () => {
  const order = await anOrder(1000);
  await pay(moneyFor(order, { amount_minor: 400 }));
  await pay(moneyFor(order, { amount_minor: 700 }));
  const { exception } = await pay(moneyFor(order, { amount_minor: 50 }));
  await resolveException(ctx, shop, { exception_id: exception?.id ?? "", action: "accept" });
  const events = await listOrderEvents(ctx, shop, { order_id: order.id, limit: 100 });
  const told = events.rows.map((row) => JSON.parse(row.body.toString())).filter((event) => event.event === "transaction.completed");
  expect(told.reduce((sum, event) => sum + event.data.transaction.amount_minor, 0)).toBe(1150);
});
