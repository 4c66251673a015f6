import { describe, expect, test } from "vitest";
import { findReceipt } from "#collection/index.ts";
import { listWallets } from "#ledger/index.ts";
import { createOrder } from "#orders/order/create-order.ts";
import { findOrder } from "#orders/order/find-order.ts";
import { listOrderEvents } from "#orders/order/list-parts.ts";
import { refundOrder } from "#orders/refund/refund-order.ts";
import { simulatePayment } from "#orders/settle/simulate-payment.ts";
import { newId } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { booksBalanceOf } from "#test/support/books/books-balance.ts";
import { type ReceiptShop, receiptShops } from "#test/support/payments/receipt-shop.ts";
import { listExceptions } from "../exception/list-exceptions.ts";
import { resolveException } from "../exception/resolve-exception.ts";
import { linkReceipt } from "../receipt/link-receipt.ts";
import { unlinkReceipt } from "../receipt/undo-receipt.ts";
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
const _openCases = async (order_id?: string) =>
  (await listExceptions(ctx, shop, { limit: 9, filters: { status: ["open"], ...(order_id === undefined ? {} : { order_id }) } })).rows;
const shown = async (id: string) => {
  const { order } = await findOrder(ctx, shop, id);
  return { status: order.status, flags: order.flags, received: order.amount_received_minor, held: order.amount_held_minor };
};
const eventsOf = async (order_id: string) =>
  (await listOrderEvents(ctx, shop, { order_id, limit: 100 })).rows.map(({ event }) => event).toReversed();
const _reversed = { status: "paid", flags: ["payment_reversed"], received: 0, held: 0 };

describe("an order whose payment was reversed is settled by money that really arrives", () => {
  const backTo = async (pay: (id: string) => Promise<unknown>) => {
    const id = await anOrder();
    await approve(id);
    await reverse(id);
    await pay(id);
    return id;
  };

  test("from a reviewer, without a second order.paid", async () => {
    const id = await backTo((order_id) => approve(order_id, { external_transaction_id: newId("req") }));
    expect(await shown(id)).toEqual({ status: "paid", flags: ["manually_verified"], received: 5000, held: 0 });
    const events = await eventsOf(id);
    expect(events.filter((event) => event === "order.paid").length).toBe(1);
    expect(events.at(-1)).toBe("transaction.completed");
    await booksBalance();
  });

  test("from a provider, and the next one is paid twice", async () => {
    const id = await backTo((order_id) => simulatePayment(ctx, shop, { order_id }));
    expect(await shown(id)).toMatchObject({ status: "paid", flags: [], received: 5000 });
    expect(await refused(simulatePayment(ctx, shop, { order_id: id }))).toEqual({ code: "order_already_paid" });
    await booksBalance();
  });

  test("from parts", async () => {
    const id = await backTo((order_id) => simulatePayment(ctx, shop, { order_id, outcome: "underpaid", amount_minor: 2000 }));
    expect(await shown(id)).toMatchObject({ status: "paid", flags: ["payment_reversed", "underpaid"], received: 0, held: 2000 });
    await booksBalance();
    await simulatePayment(ctx, shop, { order_id: id, amount_minor: 3000 });
    expect(await shown(id)).toMatchObject({ status: "paid", flags: [], received: 5000, held: 0 });
    await booksBalance();
  });

  test("from a receipt with its mark, automatically", async () => {
    const own = await shopWith({ mode: "remark" });
    const { order_id, payable, code } = await own.paying();
    await own.approve(order_id);
    await reversePayment(ctx, own, { order_id, cause: "not_received", note: "slip" });
    const { outcome } = await own.receipt({ amount_minor: payable, remark: code });
    expect(outcome).toBe("settled");
    expect(await own.order(order_id)).toMatchObject({ status: "paid", flags: ["auto_matched"], received: payable });
    await booksBalance();
  });
});

async function linkReceiptAgain(shop: ReceiptShop, receipt_id: string, order_id: string) {
  await unlinkReceipt(ctx, shop, { receipt_id });
  return linkReceipt(ctx, shop, { receipt_id, order_id });
}

describe("a transfer that was reversed as another order's", () => {
  const minutes = (count: number) => new Date(ctx.now().getTime() + count * 60_000);
  const heldOf = async (tenant: ReceiptShop) =>
    (await listExceptions(ctx, tenant, { limit: 9, filters: { status: ["open"], kind: ["unmatched"] } })).rows;

  test.each(["remark", "unique_amount"] as const)("pays no order again when its second source reports it (%s)", async (mode) => {
    const own = await shopWith({ mode });
    const [wrong, right] = [await own.paying(7000), await own.paying(7000)];
    const seen = { amount_minor: wrong.payable, remark: wrong.code };
    await own.receipt({ ...seen, source: "listener", external_id: null });
    await reversePayment(ctx, own, { order_id: wrong.order_id, cause: "other_order", note: "typed the wrong code" });
    const [held] = await heldOf(own);
    await resolveException(ctx, own, { exception_id: held?.id ?? "", action: "accept", order_id: right.order_id });
    expect(await own.order(right.order_id)).toMatchObject({ status: "paid", received: wrong.payable });
    const { receipt, outcome } = await own.receipt({ ...seen, occurred_at: minutes(1), external_id: "4200008801" });
    expect(outcome).toBe("linked");
    expect(await own.order(wrong.order_id)).toMatchObject({ status: "paid", flags: ["payment_reversed"], received: 0 });
    expect(await linkReceiptAgain(own, receipt.id, right.order_id)).toMatchObject({ status: "linked" });
    expect((await listWallets(ctx, own, { limit: 9 }))?.data).toMatchObject([{ balance_minor: wrong.payable }]);
    await booksBalance();
  });

  test("isn't booked again for the order it left while an exception holds it, though no receipt showed it", async () => {
    const own = await shopWith({ mode: "remark" });
    const { order_id, payable, code } = await own.paying();
    await own.approve(order_id);
    await reversePayment(ctx, own, { order_id, cause: "other_order", note: "slip" });
    expect((await own.receipt({ amount_minor: payable, remark: code })).outcome).toBe("linked");
    expect(await own.order(order_id)).toMatchObject({ flags: ["payment_reversed"], received: 0 });
    expect(await heldOf(own)).toMatchObject([{ amount_minor: payable }]);
    await booksBalance();
  });

  test("keeps all of its receipts: none is new money", async () => {
    const own = await shopWith({ mode: "remark" });
    const { order_id, payable, code } = await own.paying();
    await own.approve(order_id);
    const receipts = [
      (await own.receipt({ amount_minor: payable, remark: code, source: "listener", external_id: null })).receipt.id,
      (await own.receipt({ amount_minor: payable, remark: code, external_id: "4200008802" })).receipt.id,
    ];
    await reversePayment(ctx, own, { order_id, cause: "other_order", note: "slip" });
    const rows = await Promise.all(receipts.map((id) => findReceipt(ctx.db, own, id)));
    expect(rows.map((row) => row?.status)).toEqual(["matched", "linked"]);
    expect(rows[1]).toMatchObject({ twin_id: receipts[0], exception_id: rows[0]?.exception_id });
    await booksBalance();
  });

  test("isn't used by the approval of an order of the same amount without its number, however that is written", async () => {
    const own = await shopWith({ mode: "exact" });
    const [first, other] = [await own.paying(3500), await own.paying(3500)];
    await own.approve(first.order_id, "4200 0077 01");
    const { receipt } = await own.receipt({ amount_minor: 3500, external_id: "4200007701" });
    expect(receipt.status).toBe("linked");

    await reversePayment(ctx, own, { order_id: first.order_id, cause: "other_order", note: "another buyer's" });
    await own.approve(other.order_id);
    expect(await own.cases()).toMatchObject([{ kind: "unmatched", amount_minor: 3500 }]);
    await booksBalance();
    const named = await own.paying(3500);
    await own.approve(named.order_id, "４２００００７７０１");
    expect(await own.order(named.order_id)).toMatchObject({ status: "paid", received: 3500 });
    expect(await own.cases()).toEqual([]);
    await booksBalance();
  });

  test("pays the order it left once another transfer for that order arrives", async () => {
    const own = await shopWith({ mode: "remark" });
    const { order_id, payable, code } = await own.paying();
    await own.receipt({ amount_minor: payable, remark: code });
    await reversePayment(ctx, own, { order_id, cause: "other_order", note: "slip" });
    expect((await own.receipt({ amount_minor: payable, remark: code, occurred_at: minutes(9) })).outcome).toBe("settled");
    expect(await own.order(order_id)).toMatchObject({ status: "paid", flags: ["auto_matched"], received: payable });
    await booksBalance();
  });
});

describe("concurrently", () => {
  test("two reversals: one counts", async () => {
    const id = await anOrder();
    await approve(id);
    const results = await Promise.all([refused(reverse(id)), refused(reverse(id, { cause: "other_order" }))]);
    expect(results.filter((one) => one !== null)).toEqual([{ code: "order_state_conflict" }]);
    await booksBalance();
  });

  test.each(Array.from({ length: 4 }, (_, at) => at))("a refund and a reversal: one counts (%i)", async (at) => {
    const id = await anOrder();
    await approve(id);
    const attempts = [() => refused(reverse(id)), () => refused(refundOrder(ctx, shop, { order_id: id, amount_minor: 100 }))];
    const results = await Promise.all((at % 2 === 0 ? attempts : attempts.toReversed()).map((attempt) => attempt()));
    expect(results.filter((one) => one !== null)).toEqual([{ code: "order_state_conflict" }]);
    await booksBalance();
  });

  test("a reversal and the real money: the money pays or waits, and no cent is lost", async () => {
    for (let round = 0; round < 3; round += 1) {
      const id = await anOrder(5100 + round);
      await approve(id);
      const { receipt } = await shop.receipt({ amount_minor: 5100 + round, channel: "alipay" });
      await Promise.all([refused(reverse(id)), refused(linkReceipt(ctx, shop, { receipt_id: receipt.id, order_id: id }))]);
      expect((await shown(id)).status).toBe("paid");
      await booksBalance();
    }
  });
});
