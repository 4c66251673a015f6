import { describe, expect, test } from "vitest";
import { putProfile } from "#collection/index.ts";
import { expireDue } from "#orders/order/expire-due.ts";
import { reportPayment } from "#orders/payment/report-payment.ts";
import { startPayment } from "#orders/payment/start-payment.ts";
import { findPayment } from "#orders/session/find-payment.ts";
import { withdrawReport } from "#orders/session/withdraw-report.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { alipayCode } from "#test/support/payments/pay-shop.ts";
import { bookFaults, type ReceiptShop, receiptShops } from "#test/support/payments/receipt-shop.ts";
import { reviewOrder } from "../review/review-order.ts";

const app = await testApp();
const { ctx, clock } = app;
const shopWith = receiptShops(app);
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const booksBalance = async () => expect(await bookFaults(app)).toEqual([]);
const pass = async (ms: number) => {
  clock.advance(ms);
  while ((await expireDue(ctx)) > 0);
};

/** A shop with a code in each wallet, that lowers WeChat payments by one or a few. */
async function twoWallets(max_offset_minor: number) {
  const shop = await shopWith({ mode: "unique_amount", max_offset_minor });
  await putProfile(ctx, shop, { channel: "alipay", if_version: null, qr_payload: alipayCode });
  return shop;
}

async function choose(shop: ReceiptShop, order_id: string, gateway: "wechatpay" | "alipay") {
  const { session } = await startPayment(ctx, shop, { order_id, gateway });
  return { id: session.id, requested: [session.payable_amount_minor, session.remark_code] };
}

/** Whether the one amount of a price is free for another order by now. */
const isFree = async (shop: ReceiptShop, amount_minor: number) => (await shop.paying(amount_minor, 300)).flags.length === 0;

describe("an order keeps its amount", () => {
  test("across renewals, so that an idle page uses none up", async () => {
    const shop = await shopWith({ mode: "unique_amount", max_offset_minor: 2 });
    const { order_id, payable } = await shop.paying(8800);
    for (let round = 0; round < 5; round += 1) {
      clock.advance(31 * minuteMs);
      expect((await choose(shop, order_id, "wechatpay")).requested).toEqual([payable, null]);
    }
    expect((await shop.paying(8800)).payable).toBe(8798);
    await booksBalance();
  });

  test("across changes of channel, back immediately or an hour later", async () => {
    const shop = await twoWallets(2);
    const { order_id, session_id, payable } = await shop.paying(8900);
    for (const idleMs of [0, minuteMs, hourMs, 3 * hourMs]) {
      expect((await choose(shop, order_id, "alipay")).requested).toEqual([8900, null]);
      expect((await findPayment(ctx, shop, session_id)).session.status).not.toBe("pending");
      await pass(idleMs);
      expect((await choose(shop, order_id, "wechatpay")).requested).toEqual([payable, null]);
    }
    expect((await shop.paying(8900)).payable).toBe(8898);
    await booksBalance();
  });

  test("and its code, if one was requested", async () => {
    const shop = await twoWallets(1);
    await shop.paying(9300);
    const { order_id, code } = await shop.paying(9300);
    expect(code).not.toBeNull();
    await choose(shop, order_id, "alipay");
    await pass(2 * hourMs);
    expect((await choose(shop, order_id, "wechatpay")).requested).toEqual([9300, code]);
  });

  test("a payment canceled because the buyer chose another channel is still paid by its own amount, for a day", async () => {
    const shop = await twoWallets(1);
    const { order_id, session_id, payable } = await shop.paying(2500, 30 * 86_400);
    await choose(shop, order_id, "alipay");
    expect((await findPayment(ctx, shop, session_id)).session.status).toBe("canceled");
    await pass(dayMs - minuteMs);
    expect(await isFree(shop, 2500)).toBe(false);
    const { receipt } = await shop.receipt({ amount_minor: payable });
    expect(receipt).toMatchObject({ status: "matched", payment_session_id: session_id });
    expect(await shop.order(order_id)).toEqual({ status: "paid", flags: ["auto_matched"], received: payable });
    await booksBalance();
  });
});

describe("while a report is undecided", () => {
  const month = 30 * 86_400;

  test("its amount is held for seven days and pays its order in that time", async () => {
    const shop = await twoWallets(1);
    const { order_id, payable } = await shop.paying(4100, month);
    const paidLater = await shop.paying(4200, month);
    await pass(10 * minuteMs);
    for (const id of [order_id, paidLater.order_id]) await reportPayment(ctx, shop, { order_id: id });
    await pass(7 * dayMs - minuteMs);
    expect([await isFree(shop, 4100), await isFree(shop, 4200)]).toEqual([false, false]);
    await shop.receipt({ amount_minor: paidLater.payable });
    expect((await shop.order(paidLater.order_id)).status).toBe("paid");
    await pass(minuteMs);
    expect([await isFree(shop, 4100), await isFree(shop, 4200)]).toEqual([true, false]);
    expect((await shop.order(order_id)).status).toBe("pending_verify");
    expect((await shop.receipt({ amount_minor: payable })).receipt.payment_session_id).not.toBe(paidLater.session_id);
    await booksBalance();
  });

  test("a withdrawn one ends there: the buyer gets the same request again, and a day later it is free", async () => {
    const shop = await twoWallets(1);
    const [back, gone] = [await shop.paying(4300, month), await shop.paying(4400, month)];
    for (const { order_id } of [back, gone]) await reportPayment(ctx, shop, { order_id });
    await pass(2 * dayMs);
    const sent_at = ctx.now();
    await pass(dayMs);
    for (const { order_id } of [back, gone]) await withdrawReport(ctx, shop, { order_id });
    expect((await choose(shop, back.order_id, "wechatpay")).requested).toEqual([back.payable, null]);
    await pass(dayMs - minuteMs);
    expect(await isFree(shop, 4400)).toBe(false);
    await pass(minuteMs);
    expect([await isFree(shop, 4400), await isFree(shop, 4300)]).toEqual([true, false]);
    expect((await shop.receipt({ amount_minor: gone.payable, occurred_at: sent_at })).receipt.payment_session_id).toBe(gone.session_id);
    await booksBalance();
  });

  test("a rejected one holds for another day", async () => {
    const shop = await twoWallets(1);
    const { order_id } = await shop.paying(4500, month);
    await reportPayment(ctx, shop, { order_id });
    await pass(3 * dayMs);
    await reviewOrder(ctx, shop, { order_id, decision: "reject", reason_code: "not_received" });
    await pass(dayMs - minuteMs);
    expect(await isFree(shop, 4500)).toBe(false);
    await pass(minuteMs);
    expect(await isFree(shop, 4500)).toBe(true);
  });
});

describe("a hold that has ended", () => {
  /** An order that is asked for 7600 once that is free, although the first order's price is 7600. */
  const neighbor = async (shop: ReceiptShop) => {
    const order = await shop.paying(7601, 7 * 86_400);
    expect([order.payable, order.flags]).toEqual([7600, []]);
    return order;
  };

  test("doesn't return when a late import pays its order: the next one's money pays, and the amount in between belongs to no one", async () => {
    const shop = await twoWallets(1);
    const late = await shop.paying(7600, 3600);
    const sent_at = ctx.now();
    await pass(26 * hourMs);
    const next = await neighbor(shop);
    const next_sent_at = ctx.now();
    await pass(2 * dayMs);
    expect((await shop.receipt({ amount_minor: late.payable, occurred_at: sent_at })).receipt.payment_session_id).toBe(late.session_id);
    expect((await shop.receipt({ amount_minor: next.payable, occurred_at: next_sent_at })).outcome).toBe("settled");
    expect(await shop.order(next.order_id)).toEqual({ status: "paid", flags: ["auto_matched"], received: 7600 });
    expect((await shop.receipt({ amount_minor: late.payable, occurred_at: next_sent_at })).receipt).toMatchObject({
      status: "unmatched",
      exception_id: null,
    });
    await booksBalance();
  });

  test.each(["taken back", "rejected", "approved", "shown by its receipt"] as const)(
    "doesn't return when a report is %s after the seven days",
    async (how) => {
      const shop = await twoWallets(1);
      const { order_id, payable } = await shop.paying(7600, 30 * 86_400);
      await reportPayment(ctx, shop, { order_id });
      const sent_at = ctx.now();
      await pass(7 * dayMs);
      const next = await neighbor(shop);
      const next_sent_at = ctx.now();
      await pass(hourMs);
      if (how === "taken back") await withdrawReport(ctx, shop, { order_id });
      else if (how === "shown by its receipt")
        expect((await shop.receipt({ amount_minor: payable, occurred_at: sent_at })).outcome).toBe("settled");
      else
        await reviewOrder(ctx, shop, {
          order_id,
          ...(how === "approved" ? { decision: "approve" } : { decision: "reject", reason_code: "not_received" }),
        });
      expect((await shop.receipt({ amount_minor: next.payable, occurred_at: next_sent_at })).receipt.payment_session_id).toBe(
        next.session_id,
      );
      expect(await isFree(shop, 7600)).toBe(true);
      await booksBalance();
    },
  );
});

describe("an order that is paid for again after its hold ended", () => {
  test("gets another amount if its own was reused, and each amount pays the order that had it at the time", async () => {
    const shop = await shopWith({ mode: "unique_amount", max_offset_minor: 2 });
    const { order_id, payable } = await shop.paying(5400, 30 * 86_400);
    const first_asked_at = ctx.now();
    await pass(25 * hourMs);
    const next = await shop.paying(5400, 30 * 86_400);
    expect([payable, next.payable]).toEqual([5399, 5399]);
    expect((await choose(shop, order_id, "wechatpay")).requested).toEqual([5398, null]);
    await expectAskings(order_id, [
      [5399, null],
      [5398, null],
    ]);
    expect((await shop.receipt({ amount_minor: 5399 })).receipt.payment_session_id).toBe(next.session_id);
    expect((await shop.receipt({ amount_minor: 5399, occurred_at: new Date(first_asked_at.getTime() + minuteMs) })).receipt.status).toBe(
      "matched",
    );
    expect([await shop.order(order_id), await shop.order(next.order_id)]).toMatchObject([{ received: 5399 }, { received: 5399 }]);
    await booksBalance();
  });

  test("gets another code, and a transfer with the old one belongs to no one by then", async () => {
    const shop = await shopWith({ mode: "remark" });
    const orders = [await shop.paying(5500, 30 * 86_400), await shop.paying(5500, 30 * 86_400)];
    await pass(25 * hourMs);
    const codes: unknown[] = [];
    for (const { order_id, code } of orders) {
      const { requested } = await choose(shop, order_id, "wechatpay");
      await expectAskings(order_id, [[5500, code], requested]);
      codes.push(requested[1]);
    }
    // One of them may be given its old code again, by one chance in ninety thousand; not both.
    const changed = orders.filter(({ code }) => !codes.includes(code));
    expect(changed.length).toBeGreaterThan(0);
    for (const { code } of changed) expect((await shop.receipt({ amount_minor: 5500, remark: code })).receipt.status).toBe("unmatched");
    expect((await shop.receipt({ amount_minor: 5500, remark: `${codes[0]}` })).receipt.status).toBe("matched");
    await booksBalance();
  });

  /** The amounts requested for an order, oldest first: each request has its own row. */
  async function expectAskings(order_id: string, requests: unknown[][]): Promise<void> {
    const rows = await runStatement<{ amount_minor: number; code: string | null }>(
      ctx.db,
      "select amount_minor, code from askings where order_id = ? order by id",
      order_id,
    );
    expect(rows.map(({ amount_minor, code }) => [amount_minor, code])).toEqual(requests);
  }
});

describe("an amount is free again", () => {
  test("an hour after its order was paid and a day after a payment ended, and the old row still shows whose it was", async () => {
    const shop = await shopWith({ mode: "unique_amount", max_offset_minor: 1 });
    const first = await shop.paying(3300, 3600);
    const asked_at = ctx.now();
    clock.advance(25 * hourMs);
    const second = await shop.paying(3300, 7 * 86_400);
    expect([first.payable, second.payable]).toEqual([3299, 3299]);
    expect(
      (await shop.receipt({ amount_minor: 3299, occurred_at: new Date(asked_at.getTime() + 60_000) })).receipt.payment_session_id,
    ).toBe(first.session_id);
    expect((await shop.order(first.order_id)).status).toBe("paid");
    expect((await shop.receipt({ amount_minor: 3299 })).receipt.payment_session_id).toBe(second.session_id);
    clock.advance(3_500_000);
    expect((await shop.paying(3300)).flags).toEqual(["ambiguous_amount"]);
    clock.advance(200_000);
    expect((await shop.paying(3300)).payable).toBe(3299);
    await booksBalance();
  });
});
