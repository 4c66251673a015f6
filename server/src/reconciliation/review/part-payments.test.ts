import { describe, expect, test } from "vitest";
import { cancelOrder } from "#orders/order/cancel-order.ts";
import { createOrder } from "#orders/order/create-order.ts";
import { listVouchers } from "#orders/order/list-parts.ts";
import { reportPayment } from "#orders/payment/report-payment.ts";
import { startPayment } from "#orders/payment/start-payment.ts";
import { submitVoucher } from "#orders/voucher/submit-voucher.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { bookFaults, receiptShops } from "#test/support/payments/receipt-shop.ts";
import { listExceptions } from "../exception/list-exceptions.ts";
import { resolveException } from "../exception/resolve-exception.ts";
import { linkReceipt } from "../receipt/link-receipt.ts";
import { ignoreReceipt, unlinkReceipt } from "../receipt/undo-receipt.ts";
import type { ReviewInput } from "./review-input.ts";
import { reviewOrder } from "./review-order.ts";

const app = await testApp();
const { ctx } = app;
const shopWith = receiptShops(app);
const shop = await shopWith({ mode: "exact" });
const booksBalance = async () => expect(await bookFaults(app)).toEqual([]);
const anOrder = async (amount_minor = 5000) => (await createOrder(ctx, shop, { amount_minor, currency: "CNY" })).order.id;
const approve = (order_id: string, input: Partial<ReviewInput> = {}) => reviewOrder(ctx, shop, { order_id, decision: "approve", ...input });
const openCase = async (order_id: string) =>
  (await listExceptions(ctx, shop, { limit: 9, filters: { order_id, status: ["open"] } })).rows[0];

/** A person links a receipt that is less than its order's amount. */
async function partOf(order_id: string, amount_minor: number) {
  const { receipt } = await shop.receipt({ amount_minor });
  await linkReceipt(ctx, shop, { receipt_id: receipt.id, order_id });
  return receipt.id;
}

describe("an approval after a partial payment", () => {
  test("without an amount books what is still owed", async () => {
    const order_id = await anOrder();
    await startPayment(ctx, shop, { order_id, gateway: "wechatpay" });
    const part = await shop.receipt({ amount_minor: 2000, channel: "alipay" });
    await linkReceipt(ctx, shop, { receipt_id: part.receipt.id, order_id });
    expect((await approve(order_id)).order).toMatchObject({ status: "paid", amount_received_minor: 5000, flags: ["manually_verified"] });
    await booksBalance();
  });

  test("needs confirmation if the buyer reported a payment of the whole amount", async () => {
    const order_id = await anOrder();
    await reportPayment(ctx, shop, { order_id, gateway: "wechatpay" });
    const part = await shop.receipt({ amount_minor: 2000, channel: "alipay" });
    await linkReceipt(ctx, shop, { receipt_id: part.receipt.id, order_id });
    const refused = await approve(order_id).catch((error) => error);
    expect(refused).toMatchObject({ code: "parameter_missing", extras: { fields: { reported_minor: 5000, expected_minor: 3000 } } });
    expect((await approve(order_id, { received_amount_minor: 3000 })).order).toMatchObject({ status: "paid", amount_received_minor: 5000 });
    await booksBalance();
  });
});

describe("the page after a partial payment from elsewhere", () => {
  test("only requests the rest, and the rest settles the order", async () => {
    const remark = await shopWith({ mode: "remark" });
    const { order_id, session_id } = await remark.paying(5000);
    const part = await remark.receipt({ amount_minor: 2000, channel: "alipay" });
    await linkReceipt(ctx, remark, { receipt_id: part.receipt.id, order_id });
    const { session, created } = await startPayment(ctx, remark, { order_id, gateway: "wechatpay" });
    expect(session).toMatchObject({ payable_amount_minor: 3000 });
    expect([created, session.id === session_id]).toEqual([true, false]);
    await remark.receipt({ amount_minor: 3000, remark: session.remark_code ?? "" });
    expect(await remark.order(order_id)).toMatchObject({ status: "paid", received: 5000 });
    await booksBalance();
  });

  test("leaves a waiting proof as superseded, because the order isn't paid", async () => {
    const order_id = await anOrder();
    await submitVoucher(ctx, shop, { order_id, gateway: "wechatpay", transaction_reference: `R${order_id}` });
    await partOf(order_id, 2000);
    expect(await shop.order(order_id)).toMatchObject({ status: "unpaid" });
    expect((await listVouchers(ctx, shop, { order_id, limit: 9 })).rows).toMatchObject([{ status: "superseded" }]);
  });
});

describe("an order's request from before a partial payment", () => {
  const partOn = async (mode: "remark" | "unique_amount") => {
    const own = await shopWith({ mode });
    const payment = await own.paying(5000);
    const part = await own.receipt({ amount_minor: 2000, channel: "alipay" });
    await linkReceipt(ctx, own, { receipt_id: part.receipt.id, order_id: payment.order_id });
    return {
      own,
      payment,
      restart: async () => (await startPayment(ctx, own, { order_id: payment.order_id, gateway: "wechatpay" })).session,
    };
  };

  test("keeps its code, which requests the rest", async () => {
    const { own, payment, restart } = await partOn("remark");
    expect(await restart()).toMatchObject({ remark_code: payment.code, payable_amount_minor: 3000, amount_minor: 3000 });
    await own.receipt({ amount_minor: 3000, remark: payment.code });
    expect(await own.order(payment.order_id)).toEqual({ status: "paid", flags: ["auto_matched"], received: 5000 });
    await booksBalance();
  });

  test("accepts the rest with its code before the page has requested it", async () => {
    const { own, payment } = await partOn("remark");
    await own.receipt({ amount_minor: 3000, remark: payment.code });
    expect(await own.order(payment.order_id)).toMatchObject({ status: "paid", received: 5000 });
    await booksBalance();
  });

  test("keeps its code when the part is taken back, and across renewals", async () => {
    const { own, payment, restart } = await partOn("remark");
    await restart();
    const [part] = await own.cases();
    await resolveException(ctx, own, {
      exception_id: (await listExceptions(ctx, own, { limit: 1, filters: {} })).rows[0]?.id ?? "",
      action: "ignore",
    });
    expect(part).toMatchObject({ kind: "underpaid" });
    expect(await restart()).toMatchObject({ remark_code: payment.code, payable_amount_minor: 5000 });
    app.clock.advance(45 * 60_000);
    expect(await restart()).toMatchObject({ remark_code: payment.code, payable_amount_minor: 5000 });
    await own.receipt({ amount_minor: 5000, remark: payment.code });
    expect(await own.order(payment.order_id)).toMatchObject({ status: "paid", received: 5000 });
    await booksBalance();
  });

  test.each(["remark", "unique_amount"] as const)(
    "causes a mismatch that isn't booked and identifies the order (%s), once for two sources",
    async (mode) => {
      const { own, payment, restart } = await partOn(mode);
      for (const again of [false, true]) {
        if (again) await restart();
        await own.receipt({ amount_minor: payment.payable, remark: payment.code, source: again ? "listener" : "statement" });
        expect(await own.order(payment.order_id)).toMatchObject({ status: "unpaid", received: 0 });
        expect(await own.cases()).toMatchObject([
          { kind: "mismatch", order_id: payment.order_id, amount_minor: payment.payable, transaction_id: null },
          { kind: "underpaid", order_id: payment.order_id, amount_minor: 2000 },
        ]);
      }
      await booksBalance();
    },
  );
});

describe("a code that arrived with another amount is accepted", () => {
  const mismatched = async (price: number, amount_minor: number) => {
    const remark = await shopWith({ mode: "remark" });
    const { order_id, code } = await remark.paying(price);
    await remark.receipt({ amount_minor, remark: code ?? "" });
    const [open] = (await listExceptions(ctx, remark, { limit: 9, filters: { order_id, status: ["open"] } })).rows;
    expect(open).toMatchObject({ kind: "mismatch", transaction_id: null });
    const accept = (more: { confirm_shortfall_minor?: number } = {}) =>
      resolveException(ctx, remark, { exception_id: open?.id ?? "", action: "accept", ...more });
    return { remark, order_id, accept };
  };

  test("for the whole once the shortfall is confirmed, which is required first", async () => {
    const { remark, order_id, accept } = await mismatched(8600, 5000);
    expect(await accept().catch((error) => error)).toMatchObject({
      code: "shortfall_unconfirmed",
      extras: { fields: { shortfall_minor: 3600 } },
    });
    await accept({ confirm_shortfall_minor: 3600 });
    expect(await remark.order(order_id)).toEqual({ status: "paid", flags: ["manually_verified", "underpaid"], received: 5000 });
    expect(await remark.cases()).toEqual([]);
    await booksBalance();
  });

  test("without confirmation within the merchant's tolerance", async () => {
    const { remark, order_id, accept } = await mismatched(8600, 8590);
    await accept();
    expect(await remark.order(order_id)).toMatchObject({ status: "paid", received: 8590 });
    expect(await remark.cases()).toEqual([]);
    await booksBalance();
  });

  test("as the merchant's own if the order was paid in the meantime", async () => {
    const { remark, order_id, accept } = await mismatched(8600, 5000);
    await remark.approve(order_id);
    await accept();
    expect(await remark.order(order_id)).toMatchObject({
      status: "paid",
      received: 8600,
      flags: ["duplicate_payment", "manually_verified"],
    });
    expect(await remark.cases()).toEqual([]);
    await booksBalance();
  });
});

describe("an order that is canceled after a partial payment", () => {
  const canceled = async () => {
    const order_id = await anOrder();
    const receipt_id = await partOf(order_id, 3000);
    await cancelOrder(ctx, shop, { order_id });
    return { order_id, receipt_id, exception_id: (await openCase(order_id))?.id ?? "" };
  };

  test("has received nothing, and the money waits like any for a canceled order", async () => {
    const { order_id } = await canceled();
    expect(await shop.order(order_id)).toEqual({ status: "canceled", flags: [], received: 0 });
    expect(await openCase(order_id)).toMatchObject({ kind: "late", amount_minor: 3000, detail: { reason: "order_canceled" } });
    await booksBalance();
  });

  test("leaves the books consistent when the money is ignored", async () => {
    const { exception_id, order_id } = await canceled();
    await resolveException(ctx, shop, { exception_id, action: "ignore" });
    expect(await shop.order(order_id)).toMatchObject({ received: 0 });
    await booksBalance();
  });

  test("lets the money pay another order by its exception, and by its receipt", async () => {
    const [first, second] = [await canceled(), await canceled()];
    const [one, other] = [await anOrder(3000), await anOrder(3000)];
    await resolveException(ctx, shop, { exception_id: first.exception_id, action: "accept", order_id: one });
    await linkReceipt(ctx, shop, { receipt_id: second.receipt_id, order_id: other });
    for (const id of [one, other]) expect(await shop.order(id)).toMatchObject({ status: "paid", received: 3000 });
    await booksBalance();
  });
});

describe("a partial payment that was linked to the wrong order", () => {
  test.each(["open", "ignored"])("reaches its own order while its exception is %s", async (state) => {
    const [wrong, own] = [await anOrder(), await anOrder(3000)];
    const receipt_id = await partOf(wrong, 3000);
    const exception_id = (await openCase(wrong))?.id ?? "";
    if (state === "ignored") await resolveException(ctx, shop, { exception_id, action: "ignore" });
    await linkReceipt(ctx, shop, { receipt_id, order_id: own });
    expect(await shop.order(wrong)).toEqual({ status: "unpaid", flags: [], received: 0 });
    expect(await shop.order(own)).toMatchObject({ status: "paid", received: 3000 });
    await booksBalance();
  });

  test.each([
    ["unlinked", (receipt_id: string) => unlinkReceipt(ctx, shop, { receipt_id })],
    ["ignored", (receipt_id: string) => ignoreReceipt(ctx, shop, { receipt_id, reason: "private" })],
  ])("can be %s, and the order is owed in full again", async (_name, undo) => {
    const order_id = await anOrder();
    const receipt_id = await partOf(order_id, 3000);
    await undo(receipt_id);
    expect(await shop.order(order_id)).toEqual({ status: "unpaid", flags: [], received: 0 });
    await booksBalance();
    const { session } = await startPayment(ctx, shop, { order_id, gateway: "wechatpay" });
    expect(session.payable_amount_minor).toBe(5000);
  });
});
