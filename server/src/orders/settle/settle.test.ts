import { describe, expect, test } from "vitest";
import { changeMerchant } from "#identity/index.ts";
import { listTransactions, listWallets } from "#ledger/index.ts";
import { listExceptions } from "#reconciliation/exception/list-exceptions.ts";
import { type Resolution, resolveException } from "#reconciliation/exception/resolve-exception.ts";
import { reviewOrder } from "#reconciliation/review/review-order.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { moneyFor as paidFor, settleModes, settleMoney, settleUntilTaken } from "#test/support/payments/settle-money.ts";
import { auditBooks } from "../audit-books.ts";
import { findFigures } from "../figures/find-figures.ts";
import { cancelOrder } from "../order/cancel-order.ts";
import { createOrder } from "../order/create-order.ts";
import { findOrder, listOrders } from "../order/find-order.ts";
import { listOrderEvents } from "../order/list-parts.ts";
import { reportPayment } from "../payment/report-payment.ts";
import type { OrderRow } from "../shapes.ts";
import type { Money } from "./decide.ts";
import { simulatePayment } from "./simulate-payment.ts";

const { ctx, tenant } = await testApp();
const shop = await tenant();

const anOrder = async (amount_minor = 9900, reference?: string) =>
  (await createOrder(ctx, shop, { amount_minor, currency: "CNY", ...(reference === undefined ? {} : { reference }) })).order;
const moneyFor = (order: OrderRow, change?: Partial<Money>) => paidFor(ctx, order, change);
const orderOf = async ({ id }: OrderRow) => (await findOrder(ctx, shop, id)).order;
/** Accepts an exception, or as specified. */
const resolve = (exception: { id: string } | null, given: Partial<Resolution> = {}) =>
  resolveException(ctx, shop, { exception_id: exception?.id ?? "", action: "accept", ...given });
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error) => error.code,
  );
const expire = (order: OrderRow) => simulatePayment(ctx, shop, { order_id: order.id, outcome: "expire" });
const eventsOf = async (id: string) =>
  (await listOrderEvents(ctx, shop, { order_id: id, limit: 100 })).rows.map((row) => row.event).reverse();
const booksBalance = async () => expect(await auditBooks(ctx)).toEqual([]);

describe.each(settleModes)("settled %s", (way) => {
  const pay = (money: Money) => settleMoney(ctx, { tenant: shop, money, way });

  test("the exact amount pays the order once, in one commit with ledger and events", async () => {
    const order = await anOrder();
    const settled = await pay(moneyFor(order));
    expect(settled).toMatchObject({ outcome: "paid", repeat: false });
    expect(settled.order).toMatchObject({ status: "paid", version: 2, amount_received_minor: 9900, flags: [] });
    expect(await eventsOf(order.id)).toEqual(["order.created", "order.paid", "transaction.completed"]);
    await booksBalance();
  });

  test("a repeat of the same external id, twelve times and concurrently, has one effect", async () => {
    const order = await anOrder();
    const money = moneyFor(order);
    // One after the other: on a busy machine the last wait for more than the five seconds after which they get 503.
    const settled = await Promise.all(Array.from({ length: 12 }, () => settleUntilTaken(ctx, { tenant: shop, money, way })));
    expect(settled.filter((one) => !one.repeat)).toHaveLength(1);
    expect(await orderOf(order)).toMatchObject({ status: "paid", version: 2, amount_received_minor: 9900 });
    await booksBalance();
  });

  test("two different concurrent payments of one order: one pays, the other is held as a duplicate", async () => {
    const order = await anOrder();
    const settled = await Promise.all([pay(moneyFor(order)), pay(moneyFor(order, { gateway: "alipay" }))]);
    expect(settled.map((one) => one.outcome).sort()).toEqual(["exception", "paid"]);
    expect(await orderOf(order)).toMatchObject({ status: "paid", flags: ["duplicate_payment"] });
    await booksBalance();
  });

  test("late money pays an expired order and says so", async () => {
    const order = await anOrder();
    await expire(order);
    expect(await pay(moneyFor(order))).toMatchObject({
      outcome: "paid",
      order: { status: "paid", flags: ["paid_late"], failure_code: null, failed_at: null },
    });
    await booksBalance();
  });

  test("late money whose reference was taken in the meantime becomes an exception, never an error", async () => {
    const order = await anOrder(9900, `INV-${way}`);
    await expire(order);
    await anOrder(9900, `INV-${way}`);
    const settled = await pay(moneyFor(order));
    expect(settled).toMatchObject({ outcome: "exception", exception: { kind: "late", detail: { reason: "reference_taken" } } });
    expect((await orderOf(order)).status).toBe("expired");
    await booksBalance();
  });

  test("money for a canceled order is held, and the order remains canceled", async () => {
    const order = await anOrder();
    await cancelOrder(ctx, shop, { order_id: order.id });
    expect(await pay(moneyFor(order))).toMatchObject({ outcome: "exception", exception: { kind: "late", order_id: order.id } });
    expect((await orderOf(order)).status).toBe("canceled");
    await booksBalance();
  });

  test("money without an order, or in another currency, is held", async () => {
    const order = await anOrder();
    const unmatched = await pay(moneyFor(order, { order_id: null }));
    expect(unmatched).toMatchObject({ outcome: "exception", exception: { kind: "unmatched", order_id: null } });
    expect(await pay(moneyFor(order, { currency: "USD" }))).toMatchObject({ outcome: "exception", exception: { kind: "mismatch" } });
    await booksBalance();
  });

  test("three short payments add up to a paid order", async () => {
    const order = await anOrder(1000);
    for (const [amount_minor, amount_held_minor] of [
      [400, 400],
      [300, 700],
    ] as const)
      expect(await pay(moneyFor(order, { amount_minor }))).toMatchObject({
        outcome: "underpaid",
        order: { status: "unpaid", flags: ["underpaid"], amount_received_minor: 0, amount_held_minor },
      });
    expect(await pay(moneyFor(order, { amount_minor: 350 }))).toMatchObject({
      outcome: "paid",
      order: { flags: ["overpaid"], amount_received_minor: 1000, amount_held_minor: 50 },
      exception: { kind: "overpaid", amount_minor: 50 },
    });
    await booksBalance();
  });

  test("a person's acceptance of a short payment pays the order, the rest granted", async () => {
    const order = await anOrder(1000);
    const { exception } = await pay(moneyFor(order, { amount_minor: 990 }));
    await resolve(exception);
    expect(await orderOf(order)).toMatchObject({ status: "paid", amount_received_minor: 990, flags: ["manually_verified", "underpaid"] });
    await booksBalance();
  });

  test("a shortfall above the merchant's tolerance only pays once exactly that is confirmed, and remains flagged", async () => {
    const order = await anOrder(990_000);
    const { exception } = await pay(moneyFor(order, { amount_minor: 1 }));
    const accept = (confirm_shortfall_minor?: number) =>
      resolve(exception, confirm_shortfall_minor === undefined ? {} : { confirm_shortfall_minor });
    for (const confirmed of [undefined, 1, 989_998, 990_000]) {
      expect(await accept(confirmed).catch((error) => error)).toMatchObject({
        code: "shortfall_unconfirmed",
        extras: { fields: { shortfall_minor: 989_999 } },
      });
    }
    expect(await orderOf(order)).toMatchObject({ status: "unpaid", version: 2 });
    await accept(989_999);
    expect(await orderOf(order)).toMatchObject({ status: "paid", amount_received_minor: 1, flags: ["manually_verified", "underpaid"] });
    const { days } = await findFigures(ctx, shop, { from: null, to: new Date(ctx.now().getTime() + 1), time_zone: "UTC" });
    const { rows } = await listOrders(ctx, shop, { limit: 100, filters: { status: ["paid"] } });
    const received = rows.filter(({ order: { currency } }) => currency === "CNY");
    expect(days.reduce((sum, { paid_minor }) => sum + paid_minor, 0)).toBe(
      received.reduce((sum, { order: one }) => sum + Math.min(one.amount_minor, one.amount_received_minor), 0),
    );
    await booksBalance();
  });

  test("what may be missing without a confirmation is the merchant's setting", async () => {
    const short = async (amount_minor: number) => {
      const order = await anOrder(10_000);
      const { exception } = await pay(moneyFor(order, { amount_minor }));
      return codeOf(resolve(exception));
    };
    expect([await short(9900), await short(9899)]).toEqual(["done", "shortfall_unconfirmed"]);
    await changeMerchant(ctx, { merchant_id: shop.merchant_id, if_version: null, shortfall_tolerance_bps: 0 });
    expect(await short(9999)).toBe("shortfall_unconfirmed");
    await changeMerchant(ctx, { merchant_id: shop.merchant_id, if_version: null, shortfall_tolerance_bps: 100 });
    await booksBalance();
  });

  test("money in suspense is treated like all money: what is short, over, late or too much is the same whoever assigns it to the order", async () => {
    for (const { amount_minor, status, flags, open } of [
      { amount_minor: 9900, status: "unpaid", flags: ["manually_verified"], open: [] },
      { amount_minor: 10_000, status: "unpaid", flags: ["manually_verified", "overpaid"], open: [{ kind: "overpaid", amount_minor: 100 }] },
      { amount_minor: 9900, status: "expired", flags: ["manually_verified", "paid_late"], open: [] },
      { amount_minor: 9850, status: "expired", flags: ["manually_verified", "paid_late", "underpaid"], open: [] },
    ]) {
      const order = await anOrder();
      if (status === "expired") await expire(order);
      const { exception } = await pay(moneyFor(order, { order_id: null, amount_minor }));
      await resolve(exception, { order_id: order.id });
      expect(await orderOf(order)).toMatchObject({ status: "paid", flags, amount_received_minor: Math.min(amount_minor, 9900) });
      expect((await listExceptions(ctx, shop, { limit: 9, filters: { order_id: order.id, status: ["open"] } })).rows).toMatchObject(open);
    }
    await booksBalance();
  });

  test.each([
    { name: "a canceled order", code: "order_state_conflict", currency: "CNY" },
    { name: "an order of another currency", code: "parameter_conflict", currency: "USD" },
    { name: "no order", code: "parameter_missing", currency: null },
  ])("money in suspense assigned to $name remains there", async ({ code, currency }) => {
    const to = currency === null ? null : await createOrder(ctx, shop, { amount_minor: 9900, currency });
    if (to !== null && currency === "CNY") await cancelOrder(ctx, shop, { order_id: to.order.id });
    const { exception } = await pay(moneyFor(await anOrder(), { order_id: null }));
    const given = { exception_id: exception?.id ?? "", action: "accept", ...(to === null ? {} : { order_id: to.order.id }) } as const;
    expect(await resolveException(ctx, shop, given).catch((error) => error)).toMatchObject({ code });
    expect((await listExceptions(ctx, shop, { limit: 1, filters: {} })).rows).toMatchObject([{ id: exception?.id, status: "open" }]);
    await booksBalance();
  });

  test("what a payment lacks is an adjustment without an amount, and amounts, net amounts, wallets and figures agree", async () => {
    const own = await tenant();
    const order = async (amount_minor: number) => (await createOrder(ctx, own, { amount_minor, currency: "CNY" })).order;
    const give = (to: OrderRow, amount_minor: number) => settleMoney(ctx, { tenant: own, money: moneyFor(to, { amount_minor }), way });
    await give(await order(700), 700);
    const { exception } = await give(await order(1000), 995);
    await resolveException(ctx, own, { exception_id: exception?.id ?? "", action: "accept" });
    await give(await order(300), 350);
    const { data } = (await listTransactions(ctx, own, { limit: 100 })) ?? { data: [] };
    const sum = (name: "amount_minor" | "net_minor" | "fee_minor" | "forgiven_minor") => data.reduce((total, one) => total + one[name], 0);
    expect([sum("amount_minor"), sum("net_minor"), sum("fee_minor"), sum("forgiven_minor")]).toEqual([2045, 2045, 0, 5]);
    expect((await listWallets(ctx, own, { limit: 1 }))?.data).toMatchObject([{ balance_minor: 2045, available_minor: 1995 }]);
    const { days } = await findFigures(ctx, own, { from: null, to: new Date(ctx.now().getTime() + 1), time_zone: "UTC" });
    expect(days).toMatchObject([{ paid_count: 3, paid_minor: 1995 }]);
    const adjusted = (await listTransactions(ctx, own, { limit: 9, filters: { type: ["adjustment"] } }))?.data;
    expect(adjusted).toMatchObject([{ type: "adjustment", amount_minor: 0, net_minor: 0, fee_minor: 0, forgiven_minor: 5 }]);
    expect((await listTransactions(ctx, own, { limit: 9, filters: { type: ["payment"] } }))?.data).toHaveLength(data.length - 2);
    await booksBalance();
  });

  test("providers' ids are case-sensitive: two that differ in case are two payments, and the same one again is a repeat", async () => {
    const orders = [await anOrder(), await anOrder()] as const;
    const give = (order: OrderRow, gateway: string, external_id: string) => pay(moneyFor(order, { gateway, external_id }));
    expect(await give(orders[0], "stripe", `ch_3PaBcD_${way}`)).toMatchObject({ outcome: "paid", repeat: false });
    expect(await give(orders[1], "stripe", `ch_3pAbCd_${way}`)).toMatchObject({
      outcome: "paid",
      repeat: false,
      order: { id: orders[1].id },
    });
    expect(await give(orders[1], "stripe", `ch_3PaBcD_${way}`)).toMatchObject({ repeat: true, order: { id: orders[0].id } });
    const personal = [await anOrder(), await anOrder()] as const;
    expect(await give(personal[0], "wechatpay", `42000AbCd${way}`)).toMatchObject({ outcome: "paid", repeat: false });
    expect(await give(personal[1], "wechatpay", `42000aBcD${way} `)).toMatchObject({ repeat: true, order: { id: personal[0].id } });
    expect((await orderOf(personal[1])).status).toBe("unpaid");
    await booksBalance();
  });

  test("two resolvers of one exception: the second is notified", async () => {
    const order = await anOrder(1000);
    const { exception } = await pay(moneyFor(order, { order_id: null, amount_minor: 1500 }));
    const accept = () => codeOf(resolve(exception, { order_id: order.id }));
    expect((await Promise.all([accept(), accept()])).sort()).toEqual(["done", "review_exists"]);
    expect(await orderOf(order)).toMatchObject({ status: "paid", flags: ["manually_verified", "overpaid"] });
    const open = await listExceptions(ctx, shop, { limit: 100, filters: { order_id: order.id, status: ["open"] } });
    expect(open.rows).toMatchObject([{ kind: "overpaid", amount_minor: 500 }]);
    await booksBalance();
  });

  test("an ignored exception keeps its money in suspense, explained", async () => {
    const order = await anOrder();
    const { exception } = await pay(moneyFor(order, { order_id: null }));
    const ignored = await resolve(exception, { action: "ignore", note: "private transfer" });
    expect(ignored).toMatchObject({ status: "resolved", resolution: "ignore" });
    await booksBalance();
  });

  test("a short payment that is ignored no longer counts, and the order can still be paid in full", async () => {
    const order = await anOrder(1000);
    const { exception } = await pay(moneyFor(order, { amount_minor: 900 }));
    await resolve(exception, { action: "ignore" });
    expect(await orderOf(order)).toMatchObject({ status: "unpaid", amount_received_minor: 0, amount_held_minor: 0, flags: [] });
    const { order: after } = await simulatePayment(ctx, shop, { order_id: order.id });
    expect(after).toMatchObject({ status: "paid", amount_received_minor: 1000 });
    await booksBalance();
  });

  test("short money next to a payment under review is held, and the review continues", async () => {
    const order = await anOrder(1000);
    await reportPayment(ctx, shop, { order_id: order.id, gateway: "alipay" });
    expect(await pay(moneyFor(order, { amount_minor: 400 }))).toMatchObject({
      outcome: "underpaid",
      order: { status: "pending_verify", flags: ["underpaid"] },
    });
    await reportPayment(ctx, shop, { order_id: order.id });
    const { order: paid } = await reviewOrder(ctx, shop, { order_id: order.id, decision: "approve", received_amount_minor: 600 });
    expect(paid).toMatchObject({ status: "paid" });
    await booksBalance();
  });

  test("every booked transfer is reported, so that the reports sum to what was received", async () => {
    const order = await anOrder(1000);
    await pay(moneyFor(order, { amount_minor: 400 }));
    await pay(moneyFor(order, { amount_minor: 700 }));
    const { exception } = await pay(moneyFor(order, { amount_minor: 50 }));
    await resolve(exception);
    const { rows } = await listOrderEvents(ctx, shop, { order_id: order.id, limit: 100 });
    const transactions = rows.map((row) => JSON.parse(row.body.toString())).filter(({ event }) => event === "transaction.completed");
    expect(transactions.reduce((sum, event) => sum + event.data.transaction.amount_minor, 0)).toBe(1150);
  });
});
