import { expect, test } from "vitest";
import { putProfile } from "#collection/index.ts";
import { createOrder } from "#orders/order/create-order.ts";
import { reportPayment } from "#orders/payment/report-payment.ts";
import { startPayment } from "#orders/payment/start-payment.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { alipayCode } from "#test/support/payments/pay-shop.ts";
import { bookFaults, type ReceiptShop, receiptShops } from "#test/support/payments/receipt-shop.ts";
import { ignoreReceipt } from "../receipt/undo-receipt.ts";
import type { ReviewInput } from "./review-input.ts";
import { reviewOrder } from "./review-order.ts";

const app = await testApp();
const { ctx, clock } = app;
const shopWith = receiptShops(app);
const booksBalance = async () => expect(await bookFaults(app)).toEqual([]);

/** The order's status after an approval, or the reason why that was refused. */
const approve = (shop: ReceiptShop, order_id: string, input: Partial<ReviewInput> = {}): Promise<unknown> =>
  reviewOrder(ctx, shop, { order_id, decision: "approve", ...input }).then(
    ({ order }) => order.status,
    (error) => error.extras?.fields?.reason ?? error,
  );

test.each([
  ["exact", "refunded"],
  ["exact", "unfinished"],
  ["remark", "partly_refunded"],
  ["unique_amount", "refunded"],
] as const)("an approval whose only transfer (%s) is %s is refused, until the reviewer names another one", async (mode, state) => {
  const shop = await shopWith({ mode });
  const { order_id, payable, code } = await shop.paying();
  await shop.receipt({ amount_minor: payable, remark: code, state });
  await reportPayment(ctx, shop, { order_id });
  expect(await approve(shop, order_id)).toBe("transfer_returned");
  expect(await shop.order(order_id)).toMatchObject({ status: "pending_verify", received: 0 });
  expect(await approve(shop, order_id, { external_transaction_id: "4200007101" })).toBe("paid");
  await booksBalance();
});

test("a transfer that arrived after a refunded one is approved without its number, but only for one of two orders", async () => {
  const shop = await shopWith({ mode: "exact" });
  const [first, second] = [await shop.paying(7200), await shop.paying(7200)];
  await shop.receipt({ amount_minor: 7200, state: "refunded" });
  clock.advance(20 * 60_000);
  await shop.receipt({ amount_minor: 7200 });
  expect(await approve(shop, first.order_id)).toBe("paid");
  expect(await approve(shop, second.order_id)).toBe("transfer_returned");
  await booksBalance();
});

test("a refunded transfer that an earlier approval accounts for doesn't stop the next order's", async () => {
  const shop = await shopWith({ mode: "exact" });
  const [first, second] = [await shop.paying(7250), await shop.paying(7250)];
  expect(await approve(shop, first.order_id)).toBe("paid");
  await shop.receipt({ amount_minor: 7250, state: "refunded" });
  expect(await approve(shop, second.order_id)).toBe("paid");
  await booksBalance();
});

test("a listener's report of a transfer that the statement shows as refunded isn't another transfer", async () => {
  const shop = await shopWith({ mode: "exact" });
  const { order_id } = await shop.paying(7300);
  await shop.receipt({ amount_minor: 7300, source: "listener", external_id: null });
  await shop.receipt({ amount_minor: 7300, state: "refunded" });
  expect(await approve(shop, order_id)).toBe("transfer_returned");
});

test("a refunded transfer that was ignored, or that names another order, doesn't stop an approval", async () => {
  const shop = await shopWith({ mode: "remark" });
  const [ignored, other, third] = [await shop.paying(7400), await shop.paying(7500), await shop.paying(7500)];
  const { receipt } = await shop.receipt({ amount_minor: 7400, remark: ignored.code, state: "refunded" });
  await ignoreReceipt(ctx, shop, { receipt_id: receipt.id, reason: "paid again in cash" });
  await shop.receipt({ amount_minor: 7500, remark: other.code, state: "refunded" });
  expect(await approve(shop, ignored.order_id)).toBe("paid");
  expect(await approve(shop, third.order_id)).toBe("paid");
  expect(await approve(shop, other.order_id)).toBe("transfer_returned");
  await booksBalance();
});

/** An order whose buyer looked at Alipay and was shown the WeChat code last. */
async function shownWechat(shop: ReceiptShop, amount_minor: number) {
  const { order } = await createOrder(ctx, shop, { amount_minor, currency: "CNY" });
  await startPayment(ctx, shop, { order_id: order.id, gateway: "alipay" });
  const { session } = await startPayment(ctx, shop, { order_id: order.id, gateway: "wechatpay" });
  return { order_id: order.id, payable: session.payable_amount_minor };
}

test.each(["exact", "unique_amount"] as const)(
  "an approval through another wallet than the one shown last is refused while its transfer (%s) waits there",
  async (mode) => {
    const shop = await shopWith({ mode });
    await putProfile(ctx, shop, { channel: "alipay", if_version: null, qr_payload: alipayCode, matching: { mode } });
    const { order_id, payable } = await shownWechat(shop, 7600);
    // A person typed it in, so it waits in every mode.
    await shop.receipt({ amount_minor: payable, source: "manual", external_id: "4200007102" });
    const byAlipay = (input: Partial<ReviewInput> = {}) => approve(shop, order_id, { gateway: "alipay", ...input });
    expect(await byAlipay()).toBe("transfer_elsewhere");
    expect(await byAlipay({ external_transaction_id: "4200 0071 02" })).toBe("transfer_elsewhere");
    expect(await shop.order(order_id)).toMatchObject({ status: "unpaid", received: 0 });
    expect(await approve(shop, order_id, { gateway: "wechatpay", external_transaction_id: "4200007102" })).toBe("paid");
    await booksBalance();
  },
);

test("an approval through another wallet than the one shown last counts with its transfer's number, or if its transfer is known", async () => {
  const shop = await shopWith({ mode: "exact" });
  await putProfile(ctx, shop, { channel: "alipay", if_version: null, qr_payload: alipayCode, matching: { mode: "exact" } });
  const [numbered, known] = [await shownWechat(shop, 7700), await shownWechat(shop, 7800)];
  for (const amount_minor of [7700, 7800]) await shop.receipt({ amount_minor });
  const byAlipay = { gateway: "alipay" };
  expect(await approve(shop, numbered.order_id, { ...byAlipay, external_transaction_id: "2026112622007103" })).toBe("paid");
  await shop.receipt({ channel: "alipay", amount_minor: 7800 });
  expect(await approve(shop, known.order_id, byAlipay)).toBe("paid");
  await booksBalance();
});
