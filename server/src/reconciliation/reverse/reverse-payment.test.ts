import { describe, expect, test } from "vitest";
import { findReceipt } from "#collection/index.ts";
import { listWallets } from "#ledger/index.ts";
import { createOrder } from "#orders/order/create-order.ts";
import { findOrder } from "#orders/order/find-order.ts";
import { listOrderEvents } from "#orders/order/list-parts.ts";
import { listReviews } from "#orders/order/list-reviews.ts";
import { reportPayment } from "#orders/payment/report-payment.ts";
import { failRefund } from "#orders/refund/fail-refund.ts";
import { refundOrder } from "#orders/refund/refund-order.ts";
import { simulatePayment } from "#orders/settle/simulate-payment.ts";
import { submitVoucher } from "#orders/voucher/submit-voucher.ts";
import { newId } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { booksBalanceOf } from "#test/support/books/books-balance.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { receiptShops } from "#test/support/payments/receipt-shop.ts";
import { listExceptions } from "../exception/list-exceptions.ts";
import { resolveException } from "../exception/resolve-exception.ts";
import { linkReceipt } from "../receipt/link-receipt.ts";
import type { ReviewInput } from "../review/review-input.ts";
import { reviewOrder } from "../review/review-order.ts";
import { type PaymentReversal, reversePayment } from "./reverse-payment.ts";

const app = await testApp();
const { ctx } = app;
const shopWith = receiptShops(app);
const shop = await shopWith({ mode: "exact" });

const booksBalance = booksBalanceOf(app);
const anOrder = async (amount_minor = 5000) => (await createOrder(ctx, shop, { amount_minor, currency: "CNY" })).order.id;
const approve = (order_id: string, input: Partial<ReviewInput> = {}) =>
  reviewOrder(ctx, shop, { order_id, decision: "approve", gateway: "wechatpay", ...input });
const reverse = (order_id: string, input: Partial<PaymentReversal> = {}) =>
  reversePayment(ctx, shop, { order_id, cause: "not_received", note: "slip", ...input });
const refused = (attempt: Promise<unknown>) => attempt.then(() => null).catch((error) => ({ code: error.code }));
const openCases = async (order_id?: string) =>
  (await listExceptions(ctx, shop, { limit: 9, filters: { status: ["open"], ...(order_id === undefined ? {} : { order_id }) } })).rows;
const shown = async (id: string) => {
  const { order } = await findOrder(ctx, shop, id);
  return { status: order.status, flags: order.flags, received: order.amount_received_minor, held: order.amount_held_minor };
};
const _eventsOf = async (order_id: string) =>
  (await listOrderEvents(ctx, shop, { order_id, limit: 100 })).rows.map(({ event }) => event).toReversed();
const reversed = { status: "paid", flags: ["payment_reversed"], received: 0, held: 0 };

describe("a payment that never arrived", () => {
  test("leaves the books, and its order remains paid", async () => {
    const own = await shopWith({ mode: "exact" });
    const { order } = await createOrder(ctx, own, { amount_minor: 5000, currency: "CNY", customer: { email: "buyer@mail.cn" } });
    await reviewOrder(ctx, own, { order_id: order.id, decision: "approve", gateway: "wechatpay", external_transaction_id: "42000001" });
    const eventsBefore = (await listOrderEvents(ctx, own, { order_id: order.id, limit: 100 })).rows.length;
    const { order: after } = await reversePayment(ctx, own, { order_id: order.id, cause: "not_received", note: "last month's picture" });
    expect(after).toMatchObject({ status: "paid", flags: ["payment_reversed"], amount_received_minor: 0 });
    expect((await listWallets(ctx, own, { limit: 9 }))?.data).toMatchObject([{ balance_minor: 0, pending_minor: 0, refunded_minor: 0 }]);
    const { rows } = await listOrderEvents(ctx, own, { order_id: order.id, limit: 100 });
    expect(rows.slice(0, -eventsBefore).map(({ event }) => event)).toEqual(["payment.reversed", "transaction.completed"]);
    expect(await runStatement(ctx.db, "select kind from notices where recipient = ?", "buyer@mail.cn")).toEqual([]);
    expect((await listReviews(ctx, own, { order_id: order.id, limit: 9 })).rows).toMatchObject([
      {
        decision: "reversed",
        reason_code: "not_received",
        note: "last month's picture",
        received_amount_minor: 5000,
        external_transaction_id: "42000001",
      },
      { decision: "approved" },
    ]);
    await booksBalance();
  });

  test("frees its number, for another order and for its own", async () => {
    const [wrong, right] = [await anOrder(), await anOrder()];
    const external_transaction_id = newId("req");
    await approve(wrong, { external_transaction_id });
    expect(await refused(approve(right, { external_transaction_id }))).toEqual({ code: "review_exists" });
    await reverse(wrong);
    await approve(right, { external_transaction_id });
    await reverse(right);
    await approve(wrong, { external_transaction_id });
    await reverse(wrong);
    await approve(right, { external_transaction_id });
    expect(await shown(right)).toMatchObject({ status: "paid", received: 5000, flags: ["manually_verified"] });
    expect(await shown(wrong)).toEqual(reversed);
    await booksBalance();
  });

  test("frees its receipt, which then waits for a person", async () => {
    const [wrong, right] = [await anOrder(6100), await anOrder(6100)];
    await reportPayment(ctx, shop, { order_id: wrong, gateway: "wechatpay" });
    const { receipt } = await shop.receipt({ amount_minor: 6100 });
    await linkReceipt(ctx, shop, { receipt_id: receipt.id, order_id: wrong });
    await reverse(wrong);
    expect(await findReceipt(ctx.db, shop, receipt.id)).toMatchObject({
      status: "unmatched",
      booked_external_id: null,
      decision_reason: "payment reversed",
    });
    expect(await linkReceipt(ctx, shop, { receipt_id: receipt.id, order_id: right })).toMatchObject({ status: "matched" });
    expect(await shown(right)).toMatchObject({ status: "paid", received: 6100 });
    await booksBalance();
  });

  test("frees the receipt that was tied to an approval, and the proof for another order", async () => {
    const [wrong, right] = [await anOrder(6200), await anOrder(6200)];
    const transaction_reference = newId("req");
    await submitVoucher(ctx, shop, { order_id: wrong, gateway: "wechatpay", transaction_reference });
    await reviewOrder(ctx, shop, { order_id: wrong, decision: "approve" });
    const { receipt } = await shop.receipt({ amount_minor: 6200 });
    expect(receipt.status).toBe("linked");
    expect(await refused(submitVoucher(ctx, shop, { order_id: right, gateway: "wechatpay", transaction_reference }))).toEqual({
      code: "review_exists",
    });
    await reverse(wrong);
    expect(await findReceipt(ctx.db, shop, receipt.id)).toMatchObject({ status: "unmatched", booked_external_id: null });
    await submitVoucher(ctx, shop, { order_id: right, gateway: "wechatpay", transaction_reference });
    await reviewOrder(ctx, shop, { order_id: right, decision: "approve" });
    expect(await shown(right)).toMatchObject({ status: "paid", received: 6200 });
    await booksBalance();
  });

  test("unlinks all receipts of its set", async () => {
    const orders = [await anOrder(6300), await anOrder(6300)];
    for (const order_id of orders) await reportPayment(ctx, shop, { order_id, gateway: "wechatpay" });
    for (const order_id of orders) await reviewOrder(ctx, shop, { order_id, decision: "approve" });
    const receipts = [await shop.receipt({ amount_minor: 6300 }), await shop.receipt({ amount_minor: 6300 })];
    const set = await findReceipt(ctx.db, shop, receipts[1]?.receipt.id ?? "");
    expect(set?.set_id).not.toBeNull();
    await reverse(orders[0] ?? "");
    for (const { receipt } of receipts)
      expect(await findReceipt(ctx.db, shop, receipt.id)).toMatchObject({ status: "unmatched", set_id: null });
    expect(await shown(orders[1] ?? "")).toMatchObject({ received: 6300 });
    await booksBalance();
  });
});

describe("another order's money", () => {
  test("is held under an exception without an order, and can be assigned to the right one", async () => {
    const [wrong, right] = [await anOrder(), await anOrder()];
    await approve(wrong, { external_transaction_id: newId("req") });
    await reverse(wrong, { cause: "other_order" });
    expect(await shown(wrong)).toEqual(reversed);
    const [exception] = await openCases();
    expect(exception).toMatchObject({
      kind: "unmatched",
      order_id: null,
      amount_minor: 5000,
      detail: { reason: "payment_reversed", reversed_order_id: wrong },
    });
    await booksBalance();
    await resolveException(ctx, shop, { exception_id: exception?.id ?? "", action: "accept", order_id: right });
    expect(await shown(right)).toMatchObject({ status: "paid", received: 5000 });
    await booksBalance();
    await reverse(right, { cause: "other_order" });
    expect(await openCases()).toMatchObject([{ kind: "unmatched", amount_minor: 5000 }]);
    await booksBalance();
  });

  test.each(["matched", "linked"])("keeps the receipt that was %s, so that linking it moves the money", async (before) => {
    const amount = before === "matched" ? 6400 : 6500;
    const [wrong, right] = [await anOrder(amount), await anOrder(amount)];
    await reportPayment(ctx, shop, { order_id: wrong, gateway: "wechatpay" });
    if (before === "linked") await reviewOrder(ctx, shop, { order_id: wrong, decision: "approve" });
    const { receipt } = await shop.receipt({ amount_minor: amount });
    if (before === "matched") await linkReceipt(ctx, shop, { receipt_id: receipt.id, order_id: wrong });
    expect((await findReceipt(ctx.db, shop, receipt.id))?.status).toBe(before);
    await reverse(wrong, { cause: "other_order" });
    const [exception] = await openCases();
    expect(exception).toMatchObject({ receipt_id: receipt.id, amount_minor: amount });
    expect(await findReceipt(ctx.db, shop, receipt.id)).toMatchObject({
      status: "matched",
      exception_id: exception?.id,
      payment_session_id: null,
    });
    await booksBalance();
    await linkReceipt(ctx, shop, { receipt_id: receipt.id, order_id: right });
    expect(await shown(right)).toMatchObject({ status: "paid", received: amount });
    expect((await openCases()).filter(({ id }) => id === exception?.id)).toEqual([]);
    await booksBalance();
  });
});

describe("what belongs to the payment is reversed with it", () => {
  test.each(["not_received", "other_order"] as const)("parts that it consists of (%s)", async (cause) => {
    const id = await anOrder();
    const part = await shop.receipt({ amount_minor: 2000 });
    await linkReceipt(ctx, shop, { receipt_id: part.receipt.id, order_id: id });
    await approve(id, { received_amount_minor: 3000 });
    const before = (await openCases()).length;
    await reverse(id, { cause });
    expect(await shown(id)).toEqual(reversed);
    expect((await openCases()).length - before).toBe(cause === "other_order" ? 2 : 0);
    await booksBalance();
  });

  test("what was forgiven", async () => {
    const id = await anOrder();
    await approve(id, { received_amount_minor: 4000, confirm_shortfall_minor: 1000 });
    await reverse(id);
    expect(await shown(id)).toEqual(reversed);
    await booksBalance();
  });

  test.each(["open", "ignore", "accept"] as const)("what exceeded the amount (%s)", async (decided) => {
    for (const cause of ["not_received", "other_order"] as const) {
      const id = await anOrder();
      await approve(id, { received_amount_minor: 5600, confirm_excess_minor: 600, external_transaction_id: newId("req") });
      const [excess] = await openCases(id);
      if (decided !== "open") await resolveException(ctx, shop, { exception_id: excess?.id ?? "", action: decided });
      await reverse(id, { cause });
      expect(await shown(id)).toEqual(reversed);
      expect(await openCases(id)).toEqual([]);
      if (cause === "other_order") expect((await openCases())[0]).toMatchObject({ amount_minor: 5600 });
      await booksBalance();
    }
  });

  test("a simulated payment, as any that settled automatically", async () => {
    const id = await anOrder();
    await simulatePayment(ctx, shop, { order_id: id });
    await reverse(id);
    expect(await shown(id)).toEqual(reversed);
    await booksBalance();
  });
});

describe("a reversal is refused, leaving nothing behind", () => {
  test.each<{ name: string; prepare: () => Promise<string>; input?: Partial<PaymentReversal>; code: string }>([
    { name: "of an unpaid order", prepare: () => anOrder(), code: "order_state_conflict" },
    { name: "of an order that is none", prepare: async () => "ord_none", code: "resource_missing" },
    { name: "without a word", prepare: () => anOrder(), input: { note: "  " }, code: "parameter_invalid" },
    { name: "with a card's number", prepare: () => anOrder(), input: { note: "4111 1111 1111 1111" }, code: "card_number_refused" },
    {
      name: "a second time",
      prepare: async () => {
        const id = await anOrder();
        await approve(id);
        await reverse(id);
        return id;
      },
      code: "order_state_conflict",
    },
    {
      name: "while a refund stands",
      prepare: async () => {
        const id = await anOrder();
        await approve(id);
        await refundOrder(ctx, shop, { order_id: id, amount_minor: 1 });
        return id;
      },
      code: "order_state_conflict",
    },
    {
      name: "while what came beyond the amount went back",
      prepare: async () => {
        const id = await anOrder();
        await approve(id, { received_amount_minor: 5600, confirm_excess_minor: 600 });
        await resolveException(ctx, shop, { exception_id: (await openCases(id))[0]?.id ?? "", action: "refund" });
        return id;
      },
      code: "order_state_conflict",
    },
  ])("$name", async ({ prepare, input, code }) => {
    const id = await prepare();
    const before = id === "ord_none" ? null : await shown(id);
    expect(await refused(reverse(id, input))).toEqual({ code });
    if (before !== null) expect(await shown(id)).toEqual(before);
    await booksBalance();
  });
});

test("once its refunds have failed, a payment can be reversed", async () => {
  const id = await anOrder();
  await approve(id);
  const refund = await refundOrder(ctx, shop, { order_id: id });
  await failRefund(ctx, shop, { refund_id: refund.id, failure_code: "not_sent" });
  await reverse(id);
  expect(await shown(id)).toEqual(reversed);
  await booksBalance();
});
