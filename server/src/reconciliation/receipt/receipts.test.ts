import { describe, expect, test } from "vitest";
import { listWallets } from "#ledger/index.ts";
import { createOrder } from "#orders/order/create-order.ts";
import { expireDue } from "#orders/order/expire-due.ts";
import { reportPayment } from "#orders/payment/report-payment.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { bookFaults, receiptShops } from "#test/support/payments/receipt-shop.ts";
import { reviewOrder } from "../review/review-order.ts";
import { matchWaitingReceipts } from "./record-receipt.ts";

const app = await testApp();
const { ctx, clock } = app;
const shopWith = receiptShops(app);
const booksBalance = async () => expect(await bookFaults(app)).toEqual([]);
const expireAll = async () => {
  for (let expired = 1; expired > 0; ) expired = await expireDue(ctx);
};

describe("a transfer reported late", () => {
  test("made after its session's time and before its order's, pays it", async () => {
    const shop = await shopWith({ mode: "unique_amount" });
    const { order_id, session_id, payable } = await shop.paying();
    clock.advance(31 * 60_000);
    expect((await shop.receipt({ amount_minor: payable })).receipt).toMatchObject({ status: "matched", payment_session_id: session_id });
    expect(await shop.order(order_id)).toMatchObject({ status: "paid", flags: ["auto_matched"] });
    await booksBalance();
  });

  test("made in time and reported after its order expired, pays it late", async () => {
    const shop = await shopWith({ mode: "unique_amount" });
    const { order_id, payable } = await shop.paying(undefined, 1800);
    const occurred_at = new Date(ctx.now().getTime() + 60_000);
    clock.advance(3 * 3_600_000);
    await expireAll();
    expect(await shop.order(order_id)).toMatchObject({ status: "expired" });
    await shop.receipt({ amount_minor: payable, occurred_at });
    expect(await shop.order(order_id)).toMatchObject({ status: "paid", flags: ["auto_matched", "paid_late"] });
    await booksBalance();
  });

  test("made after its order's time, is held for that order and pays nothing automatically", async () => {
    const shop = await shopWith({ mode: "unique_amount" });
    const { order_id, payable } = await shop.paying(undefined, 1800);
    clock.advance(3 * 3_600_000);
    await expireAll();
    await shop.receipt({ amount_minor: payable });
    expect(await shop.order(order_id)).toMatchObject({ status: "expired" });
    expect(await shop.cases()).toMatchObject([{ kind: "late", order_id, amount_minor: payable }]);
    await booksBalance();
  });
});

describe("a transfer whose time is before any request, by another clock,", () => {
  test.each(["unique_amount", "remark"] as const)("pays with %s up to five minutes before, and no more", async (mode) => {
    const shop = await shopWith({ mode });
    const [early, tooEarly] = [await shop.paying(), await shop.paying()];
    const paidBefore = async (one: typeof early, secondsBefore: number) =>
      shop.receipt({ amount_minor: one.payable, remark: one.code, occurred_at: new Date(ctx.now().getTime() - secondsBefore * 1000) });
    expect((await paidBefore(tooEarly, 301)).receipt).toMatchObject({ status: "unmatched", payment_session_id: null, exception_id: null });
    expect((await paidBefore(early, 299)).receipt).toMatchObject({ status: "matched", payment_session_id: early.session_id });
    expect([await shop.order(early.order_id), await shop.order(tooEarly.order_id)]).toMatchObject([
      { status: "paid" },
      { status: "unpaid", received: 0 },
    ]);
    expect(await shop.cases()).toEqual([]);
    await booksBalance();
  });
});

describe("exact amounts", () => {
  test("a receipt is a suggestion; the approval then takes it, and one transfer is booked", async () => {
    const shop = await shopWith({ mode: "exact" });
    const { order_id, session_id, payable } = await shop.paying();
    const { receipt, suggestions, outcome } = await shop.receipt({ amount_minor: payable });
    expect({ status: receipt.status, outcome, suggestions }).toMatchObject({
      status: "unmatched",
      outcome: "suggested",
      suggestions: [{ order_id, payment_session_id: session_id, fits: "payable" }],
    });
    await reviewOrder(ctx, shop, { order_id, decision: "approve" });
    clock.advance(2 * 3_600_000);
    await matchWaitingReceipts(ctx);
    expect(await shop.cases()).toEqual([]);
    expect((await listWallets(ctx, shop, { limit: 10 }))?.data).toMatchObject([{ balance_minor: payable }]);
    await booksBalance();
  });

  test("approve, then the statement, then the listener: one transfer", async () => {
    const shop = await shopWith({ mode: "exact" });
    const { order_id, session_id, payable } = await shop.paying();
    await shop.approve(order_id);
    const seen = [
      await shop.receipt({ amount_minor: payable }),
      await shop.receipt({ amount_minor: payable, source: "listener", external_id: null }),
    ];
    expect(seen.map((one) => [one.receipt.status, one.receipt.payment_session_id])).toEqual([
      ["linked", session_id],
      ["linked", session_id],
    ]);
    expect(await shop.cases()).toEqual([]);
    expect(await shop.order(order_id)).toMatchObject({ received: payable });
    await booksBalance();
  });

  test("a concurrent approval and statement: one transfer, whichever is first", async () => {
    const shop = await shopWith({ mode: "exact" });
    for (let round = 0; round < 3; round += 1) {
      const { order_id, payable } = await shop.paying();
      const [, recorded] = await Promise.all([
        reviewOrder(ctx, shop, { order_id, decision: "approve" }),
        shop.receipt({ amount_minor: payable }),
      ]);
      expect(await shop.order(order_id)).toEqual({ status: "paid", flags: ["manually_verified"], received: payable });
      expect(recorded.created).toBe(true);
    }
    expect(await shop.cases()).toEqual([]);
    await booksBalance();
  });

  test("a receipt with a booked number but another amount waits for a person", async () => {
    const shop = await shopWith({ mode: "exact" });
    const { order_id, payable } = await shop.paying();
    await shop.approve(order_id, "4200000777");
    const odd = await shop.receipt({ amount_minor: payable - 100, external_id: "4200000777" });
    expect(odd.receipt).toMatchObject({ status: "unmatched", payment_session_id: null });
    expect(await shop.cases()).toEqual([]);
    await booksBalance();
  });

  test("a second real transfer of the same amount isn't mistaken for the first, and is in no books", async () => {
    const shop = await shopWith({ mode: "exact" });
    const { order_id, payable } = await shop.paying();
    await shop.approve(order_id);
    expect((await shop.receipt({ amount_minor: payable })).receipt.status).toBe("linked");
    expect((await shop.receipt({ amount_minor: payable })).receipt).toMatchObject({ status: "unmatched", exception_id: null });
    expect(await shop.cases()).toEqual([]);
    expect(await shop.order(order_id)).toMatchObject({ received: payable });
    await booksBalance();
  });

  test("a receipt that arrived before any request is in no books; the approval books it once", async () => {
    const shop = await shopWith({ mode: "exact" });
    const { order } = await createOrder(ctx, shop, { amount_minor: 31_337, currency: "CNY" });
    await shop.receipt({ amount_minor: 31_337 });
    expect(await shop.cases()).toEqual([]);
    await reportPayment(ctx, shop, { order_id: order.id, gateway: "wechatpay" });
    await reviewOrder(ctx, shop, { order_id: order.id, decision: "approve" });
    expect(await shop.order(order.id)).toMatchObject({ status: "paid", received: 31_337 });
    expect((await listWallets(ctx, shop, { limit: 10 }))?.data).toMatchObject([{ balance_minor: 31_337 }]);
    await booksBalance();
  });

  test("an unclaimed receipt remains a receipt, however long it waits", async () => {
    const shop = await shopWith({ mode: "exact" });
    const { order_id, payable } = await shop.paying();
    const { receipt } = await shop.receipt({ amount_minor: payable });
    clock.advance(25 * 3_600_000);
    await expireAll();
    await matchWaitingReceipts(ctx, 1);
    expect(await shop.order(order_id)).toMatchObject({ status: "expired" });
    expect(await shop.cases()).toEqual([]);
    expect(receipt.status).toBe("unmatched");
    await booksBalance();
  });
});

test("the same receipt sixteen times concurrently is accepted once", async () => {
  const shop = await shopWith({ mode: "unique_amount" });
  const { order_id, payable } = await shop.paying();
  const all = await Promise.all(Array.from({ length: 16 }, () => shop.receipt({ amount_minor: payable, external_id: "4200000001" })));
  expect(all.filter((one) => one.created)).toHaveLength(1);
  expect(await shop.order(order_id)).toEqual({ status: "paid", flags: ["auto_matched"], received: payable });
  await booksBalance();
});

test("a listener's and a statement's receipt of one transfer concurrently: paid once, with no excess", async () => {
  const shop = await shopWith({ mode: "unique_amount" });
  const { order_id, payable } = await shop.paying();
  const recorded = await Promise.all([
    shop.receipt({ amount_minor: payable }),
    shop.receipt({ amount_minor: payable, source: "listener", external_id: null }),
  ]);
  expect(recorded.map((one) => one.receipt.status).sort()).toEqual(["linked", "matched"]);
  expect(await shop.order(order_id)).toMatchObject({ status: "paid", received: payable });
  expect(await shop.cases()).toEqual([]);
  await booksBalance();
});

test("of unrequested income, two concurrent sources that report one transfer leave one receipt that waits", async () => {
  for (let round = 0; round < 3; round += 1) {
    const shop = await shopWith({ mode: "exact" });
    const recorded = await Promise.all([
      shop.receipt({ amount_minor: 4200 }),
      shop.receipt({ amount_minor: 4200, source: "listener", external_id: null }),
    ]);
    const statuses = await Promise.all(
      recorded.map(
        async ({ receipt }) => (await app.api(shop.key).get(`/api/v1/projects/${shop.project_id}/receipts/${receipt.id}`)).body.status,
      ),
    );
    expect(statuses).toEqual(["unmatched", "linked"]);
    expect(await shop.cases()).toEqual([]);
  }
  await booksBalance();
});
