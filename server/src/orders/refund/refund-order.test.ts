import { describe, expect, test } from "vitest";
import { listTransactions, listWallets } from "#ledger/index.ts";
import { newId } from "#platform/index.ts";
import { listExceptions } from "#reconciliation/exception/list-exceptions.ts";
import { type Resolution, resolveException } from "#reconciliation/exception/resolve-exception.ts";
import { linkReceipt } from "#reconciliation/receipt/link-receipt.ts";
import { recordReceipt } from "#reconciliation/receipt/record-receipt.ts";
import { reviewOrder } from "#reconciliation/review/review-order.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { booksBalanceOf } from "#test/support/books/books-balance.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { payShop } from "#test/support/payments/pay-shop.ts";
import { settleMoney } from "#test/support/payments/settle-money.ts";
import { findOrder } from "../order/find-order.ts";
import { listOrderEvents } from "../order/list-parts.ts";
import { simulatePayment } from "../settle/simulate-payment.ts";
import { failRefund } from "./fail-refund.ts";
import { listOrderRefunds, listRefunds } from "./list-refunds.ts";
import { type RefundInput, refundOrder } from "./refund-order.ts";

const app = await testApp();
const { ctx } = app;
const shop = await payShop(app);
const { tenant } = shop;

const booksBalance = booksBalanceOf(app);
const paid = async (amount_minor = 9900, outcome: "paid" | "overpaid" | "underpaid" = "paid") => {
  const { order } = await shop.order({ amount_minor });
  await simulatePayment(ctx, tenant, { order_id: order.id, outcome });
  return order.id;
};
const refund = (order_id: string, input: Partial<RefundInput> = {}) => refundOrder(ctx, tenant, { order_id, ...input });
const refused = (attempt: Promise<unknown>) =>
  attempt.then(() => null).catch((error) => ({ code: error.code, fields: error.extras?.fields }));
const refundsOf = async (order_id: string) => (await listOrderRefunds(ctx, tenant, { order_id, limit: 9 })).rows;
const leaves = (refundable_minor: number) => ({ code: "refund_exceeds_received", fields: { refundable_minor } });
const sums = async (id: string) => {
  const { order } = await findOrder(ctx, tenant, id);
  return {
    status: order.status,
    received: order.amount_received_minor,
    refunded: order.amount_refunded_minor,
    held: order.amount_held_minor,
  };
};
const openCase = async (order_id: string) =>
  (await listExceptions(ctx, tenant, { limit: 9, filters: { order_id, status: ["open"] } })).rows[0];
const resolve = (exception_id: string, given: Partial<Resolution>) =>
  resolveException(ctx, tenant, { exception_id, action: "refund", ...given });
const eventsOf = async (order_id: string) => (await listOrderEvents(ctx, tenant, { order_id, limit: 100 })).rows.map(({ event }) => event);

describe("a refund", () => {
  test("of everything that an order received leaves it paid, and takes the money out of its wallet", async () => {
    const own = await payShop(app);
    const { order } = await own.order({ amount_minor: 5000 });
    await simulatePayment(ctx, own.tenant, { order_id: order.id });
    const made = await refundOrder(ctx, own.tenant, {
      order_id: order.id,
      reason: "requested_by_customer",
      note: "wrong size",
      channel: "bank_transfer",
      paid_back_by: "Li Wei",
      external_transaction_id: "B-77",
    });
    expect(made).toMatchObject({
      method: "manual",
      status: "succeeded",
      amount_minor: 5000,
      gateway: "wechatpay",
      channel: "bank_transfer",
      failure_code: null,
    });
    expect((await findOrder(ctx, own.tenant, order.id)).order).toMatchObject({
      status: "paid",
      amount_refunded_minor: 5000,
      amount_received_minor: 5000,
    });
    const [wallet] = (await listWallets(ctx, own.tenant, { limit: 9 }))?.data ?? [];
    expect(wallet).toMatchObject({ balance_minor: 0, available_minor: 0, refunded_minor: 5000 });
    const [transaction] = (await listTransactions(ctx, own.tenant, { limit: 9, filters: { type: ["refund"] } }))?.data ?? [];
    expect(transaction).toMatchObject({
      id: made.transaction_id,
      type: "refund",
      amount_minor: -5000,
      order_id: order.id,
      external_transaction_id: "B-77",
    });
    await booksBalance();
  });

  test("of a part can be followed by others, and no amount means the rest", async () => {
    const id = await paid();
    await refund(id, { amount_minor: 1000 });
    await refund(id, { amount_minor: 2000 });
    expect((await refund(id)).amount_minor).toBe(6900);
    expect(await sums(id)).toMatchObject({ status: "paid", received: 9900, refunded: 9900 });
    expect(await refused(refund(id, { amount_minor: 1 }))).toMatchObject(leaves(0));
    expect((await refundsOf(id)).map((one) => one.amount_minor)).toEqual([6900, 2000, 1000]);
    await booksBalance();
  });

  test("is reported by refund.succeeded, refund.failed and the transactions behind them", async () => {
    const id = await paid();
    const before = (await eventsOf(id)).length;
    const made = await refund(id);
    await failRefund(ctx, tenant, { refund_id: made.id, failure_code: "returned" });
    const added = (await eventsOf(id)).slice(0, -before);
    expect(added.sort()).toEqual(["refund.failed", "refund.succeeded", "transaction.completed", "transaction.completed"]);
  });

  test("excludes what exceeds the amount: that is only refunded through its exception", async () => {
    const id = await paid(10_000, "overpaid");
    expect(await refused(refund(id, { amount_minor: 10_001 }))).toMatchObject(leaves(10_000));
    const excess = await openCase(id);
    expect(await resolve(excess?.id ?? "", {})).toMatchObject({ status: "resolved", resolution: "refund" });
    expect(await sums(id)).toEqual({ status: "paid", received: 10_000, refunded: 0, held: 0 });
    expect(await refundsOf(id)).toMatchObject([{ amount_minor: 1000, exception_id: excess?.id, status: "succeeded" }]);
    expect((await refund(id)).amount_minor).toBe(10_000);
    await booksBalance();
  });

  test("leaves the wallet that the money arrived in, each part separately", async () => {
    const { order } = await shop.order({ amount_minor: 5000 });
    const receipt = await recordReceipt(ctx, tenant, {
      channel: "alipay",
      amount_minor: 2000,
      occurred_at: ctx.now(),
      source: "statement",
      external_id: newId("req"),
    });
    await linkReceipt(ctx, tenant, { receipt_id: receipt.receipt.id, order_id: order.id });
    await simulatePayment(ctx, tenant, { order_id: order.id, amount_minor: 3000 });
    const filters = { order_id: [order.id], type: ["payment" as const], status: ["completed" as const] };
    const rows = (await listTransactions(ctx, tenant, { limit: 100, filters }))?.data ?? [];
    expect(rows.map((row) => [row.gateway, row.amount_minor]).sort()).toEqual([
      ["alipay", 2000],
      ["wechatpay", 3000],
    ]);
    expect(await refused(refund(order.id))).toMatchObject(leaves(3000));
    expect(await refund(order.id, { amount_minor: 3000 })).toMatchObject({ gateway: "wechatpay" });
    expect(await refund(order.id)).toMatchObject({ gateway: "alipay", amount_minor: 2000 });
    await booksBalance();
  });
});

describe("a failed refund", () => {
  test("is in the wallet again, and can be made again", async () => {
    const id = await paid();
    const first = await refund(id);
    expect(await failRefund(ctx, tenant, { refund_id: first.id, failure_code: "returned", note: "wrong account" })).toMatchObject({
      status: "failed",
      failure_code: "returned",
      failure_note: "wrong account",
    });
    expect(await sums(id)).toMatchObject({ refunded: 0 });
    expect(await refused(failRefund(ctx, tenant, { refund_id: first.id, failure_code: "returned" }))).toMatchObject({
      code: "order_state_conflict",
    });
    expect((await refund(id)).amount_minor).toBe(9900);
    await booksBalance();
  });

  test.each([
    { name: "an excess", outcome: "overpaid" as const, held: 990, kind: "overpaid" },
    { name: "a part payment", outcome: "underpaid" as const, held: 8910, kind: "underpaid" },
  ])("reopens the exception that held $name, which can then be decided again", async ({ outcome, held, kind }) => {
    const id = await paid(9900, outcome);
    const exception = await openCase(id);
    await resolve(exception?.id ?? "", { refund: { channel: "wechat", external_transaction_id: "42000" } });
    expect(await sums(id)).toMatchObject({ held: 0 });
    const [made] = await refundsOf(id);
    await failRefund(ctx, tenant, { refund_id: made?.id ?? "", failure_code: "not_sent" });
    expect(await openCase(id)).toMatchObject({ id: exception?.id, kind, status: "open", resolution: null });
    expect(await sums(id)).toMatchObject({ held });
    await booksBalance();
    expect(await resolve(exception?.id ?? "", {})).toMatchObject({ resolution: "refund" });
    expect(await sums(id)).toMatchObject({ held: 0 });
    await booksBalance();
  });

  test("of a partial payment, whose order was paid in the meantime, is money in addition to that payment", async () => {
    const id = await paid(9900, "underpaid");
    const exception = await openCase(id);
    await resolve(exception?.id ?? "", {});
    await simulatePayment(ctx, tenant, { order_id: id, amount_minor: 9900 });
    const [made] = await refundsOf(id);
    await failRefund(ctx, tenant, { refund_id: made?.id ?? "", failure_code: "not_sent" });
    expect(await openCase(id)).toMatchObject({ kind: "duplicate", amount_minor: 8910 });
    expect(await sums(id)).toMatchObject({ status: "paid", received: 9900, held: 0 });
    await booksBalance();
  });
});

test("money of no order is refunded through its exception, and once", async () => {
  const money = { order_id: null, session_id: null, gateway: "wechatpay", external_id: newId("req"), amount_minor: 700, currency: "CNY" };
  const { exception } = await settleMoney(ctx, { tenant, money: { ...money, source: "callback", occurred_at: ctx.now() }, way: "alone" });
  const results = await Promise.all([0, 1].map(() => refused(resolve(exception?.id ?? "", { note: "sent back" }))));
  expect(results.filter((one) => one !== null)).toMatchObject([{ code: "review_exists" }]);
  const { rows } = await listRefunds(ctx, tenant, { limit: 1, filters: {} });
  expect(rows).toMatchObject([{ order_id: null, exception_id: exception?.id, amount_minor: 700, status: "succeeded", note: "sent back" }]);
  await booksBalance();
});

describe("an exception's refund is refused", () => {
  const heldBy = async () => (await openCase(await paid(9900, "overpaid")))?.id ?? "";

  test.each<{ name: string; given: Partial<Resolution>; code: string }>([
    { name: "with an order", given: { order_id: "ord_x" }, code: "parameter_conflict" },
    { name: "with a shortfall", given: { confirm_shortfall_minor: 1 }, code: "parameter_conflict" },
    {
      name: "in words only, where the money is kept",
      given: { action: "accept", refund: { channel: "cash" } },
      code: "parameter_conflict",
    },
    {
      name: "at a time that is to come",
      given: { refund: { paid_back_at: new Date(ctx.now().getTime() + 3_600_000) } },
      code: "parameter_invalid",
    },
    { name: "with a picture that is none", given: { refund: { asset_id: "ast_none" } }, code: "parameter_invalid" },
  ])("$name", async ({ given, code }) => {
    const id = await heldBy();
    expect(await refused(resolve(id, given))).toMatchObject({ code });
    expect((await listExceptions(ctx, tenant, { limit: 1, filters: { status: ["open"] } })).rows[0]?.id).toBe(id);
  });
});

describe("never more is refunded than was received", () => {
  test("of ten concurrent refunds, only as many succeed as there is money for", async () => {
    const id = await paid(4_000);
    const results = await Promise.all(Array.from({ length: 10 }, () => refused(refund(id, { amount_minor: 450 }))));
    expect(results.filter((one) => one === null).length).toBe(8);
    expect(new Set(results.filter((one) => one !== null).map(({ code }) => code))).toEqual(new Set(["refund_exceeds_received"]));
    expect(await sums(id)).toMatchObject({ received: 4_000, refunded: 3_600 });
    await booksBalance();
  });

  test.each(["pending", "requires_action", "unknown", "succeeded"])(
    "the database refuses it, whatever a program does, if others are %s",
    async (status) => {
      const id = await paid();
      const insert = (amount: number, at: number) =>
        runStatement(
          ctx.db,
          `insert into refunds (project_id, livemode, id, order_id, gateway, method, status, amount_minor, currency, created_by, created_at, updated_at)
         values (?, false, ?, ?, 'wechatpay', 'gateway', ?, ?, 'CNY', 'x', now(), now())`,
          tenant.project_id,
          `rf_${status}_${at}`,
          id,
          status,
          amount,
        );
      await expect(insert(9901, 1)).rejects.toMatchObject({ constraint: expect.stringMatching(/^orders_/) });
      await insert(9000, 2);
      await expect(insert(901, 3)).rejects.toMatchObject({ constraint: expect.stringMatching(/^orders_/) });
      expect(await refused(refund(id, { amount_minor: 901 }))).toMatchObject(leaves(900));
      // What was written behind the program's back has no transfer: taken back, the books agree again.
      await runStatement(
        ctx.db,
        "update refunds set status = 'failed' where project_id = ? and id = ?",
        tenant.project_id,
        `rf_${status}_2`,
      );
      expect(await sums(id)).toMatchObject({ refunded: 0 });
      await booksBalance();
    },
  );
});

describe("a refund is refused, leaving nothing behind", () => {
  test.each<{ name: string; prepare: () => Promise<string>; input?: Partial<RefundInput>; code: string }>([
    { name: "of an unpaid order", prepare: async () => (await shop.order({})).order.id, code: "order_state_conflict" },
    { name: "of an order that is paid in part", prepare: () => paid(9900, "underpaid"), code: "order_state_conflict" },
    { name: "of an order that is none", prepare: async () => "ord_none", code: "resource_missing" },
    { name: "of more than was received", prepare: () => paid(), input: { amount_minor: 9901 }, code: "refund_exceeds_received" },
    { name: "of another order's payment", prepare: () => paid(), input: { payment_session_id: "ps_none" }, code: "parameter_invalid" },
    { name: "with a picture that is none", prepare: () => paid(), input: { asset_id: "ast_none" }, code: "parameter_invalid" },
    { name: "with a card's number", prepare: () => paid(), input: { note: "4111 1111 1111 1111" }, code: "card_number_refused" },
    { name: "with a number that is none", prepare: () => paid(), input: { external_transaction_id: "  " }, code: "parameter_invalid" },
  ])("$name", async ({ prepare, input, code }) => {
    const id = await prepare();
    expect(await refused(refund(id, input))).toMatchObject({ code });
    if (id !== "ord_none") expect(await refundsOf(id)).toEqual([]);
    await booksBalance();
  });
});

test("a reviewer's approval is refunded like any other payment", async () => {
  const { order } = await shop.order({});
  await reviewOrder(ctx, tenant, { order_id: order.id, decision: "approve", gateway: "alipay", external_transaction_id: "42000777" });
  expect(await refund(order.id, { amount_minor: 100 })).toMatchObject({ gateway: "alipay", channel: "alipay" });
  await booksBalance();
});
