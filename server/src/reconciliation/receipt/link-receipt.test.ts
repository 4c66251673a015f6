import { describe, expect, test } from "vitest";
import { listWallets } from "#ledger/index.ts";
import { cancelOrder } from "#orders/order/cancel-order.ts";
import { createOrder } from "#orders/order/create-order.ts";
import { simulatePayment } from "#orders/settle/simulate-payment.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { bookFaults, type ReceiptShop, receiptShops } from "#test/support/payments/receipt-shop.ts";
import { listExceptions } from "../exception/list-exceptions.ts";
import { resolveException } from "../exception/resolve-exception.ts";
import { reviewOrder } from "../review/review-order.ts";
import { linkReceipt } from "./link-receipt.ts";
import { ignoreReceipt, unlinkReceipt } from "./undo-receipt.ts";

const app = await testApp();
const { ctx } = app;
const shopWith = receiptShops(app);
const booksBalance = async () => expect(await bookFaults(app)).toEqual([]);
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error) => error.code,
  );

test("a receipt whose number was booked with another amount is refused, and continues to wait", async () => {
  const shop = await shopWith({ mode: "exact" });
  const [first, second] = [await shop.paying(), await shop.paying()];
  await shop.approve(first.order_id, "4200000901");
  const { receipt } = await shop.receipt({ amount_minor: first.payable - 1000, external_id: "4200000901" });
  for (const order_id of [second.order_id, first.order_id])
    expect(await codeOf(linkReceipt(ctx, shop, { receipt_id: receipt.id, order_id }))).toBe("review_exists");
  const shown = await app.api(shop.key).get(`/api/v1/projects/${shop.project_id}/receipts/${receipt.id}`);
  expect(shown.body).toMatchObject({ status: "unmatched", order_id: null });
  expect((await shop.order(second.order_id)).status).toBe("unpaid");
  await booksBalance();
});

test("a lowered amount for which an order was approved in full is linked again after it was unlinked, and books nothing", async () => {
  const shop = await shopWith({ mode: "unique_amount" });
  const { order_id, payable } = await shop.paying(5000);
  await reviewOrder(ctx, shop, { order_id, decision: "approve", received_amount_minor: 5000 });
  const { receipt } = await shop.receipt({ amount_minor: payable, source: "listener", external_id: null });
  expect(receipt.status).toBe("linked");
  await unlinkReceipt(ctx, shop, { receipt_id: receipt.id });
  expect(await linkReceipt(ctx, shop, { receipt_id: receipt.id, order_id })).toMatchObject({ status: "linked" });
  expect(await shop.cases()).toEqual([]);
  expect((await shop.order(order_id)).flags).toEqual(["manually_verified"]);
  expect((await listWallets(ctx, shop, { limit: 10 }))?.data).toMatchObject([{ balance_minor: 5000 }]);
  await booksBalance();
});

test("an order is no longer flagged as paid twice once the second payment was assigned elsewhere", async () => {
  const shop = await shopWith({ mode: "exact" });
  const { order_id, payable } = await shop.paying(5000);
  await shop.approve(order_id);
  const { receipt } = await shop.receipt({ amount_minor: payable + 10 });
  expect(await linkReceipt(ctx, shop, { receipt_id: receipt.id, order_id })).toMatchObject({ status: "matched" });
  expect((await shop.order(order_id)).flags).toContain("duplicate_payment");
  await unlinkReceipt(ctx, shop, { receipt_id: receipt.id });
  expect((await shop.order(order_id)).flags).not.toContain("duplicate_payment");
  await booksBalance();
});

test("a typed number whose receipt shows another amount is refused; with that amount it is linked, and closes the receipt's exception", async () => {
  const shop = await shopWith({ mode: "remark" });
  const { order_id, code, payable } = await shop.paying(10_000);
  const reviewAgain = (more: object) =>
    codeOf(reviewOrder(ctx, shop, { order_id, decision: "approve", external_transaction_id: "4200000999", ...more }));
  await shop.receipt({ amount_minor: 7000, external_id: "4200000999", remark: code });
  expect(await shop.cases()).toMatchObject([{ kind: "mismatch", amount_minor: 7000 }]);
  for (const more of [{}, { received_amount_minor: payable }, { received_amount_minor: 10_500, confirm_excess_minor: 500 }])
    expect(await reviewAgain(more)).toBe("parameter_conflict");
  expect((await shop.order(order_id)).status).toBe("unpaid");
  expect(await reviewAgain({ received_amount_minor: 7000, confirm_shortfall_minor: 3000 })).toBe("done");
  expect(await shop.order(order_id)).toMatchObject({ status: "paid", received: 7000 });
  expect(await shop.cases()).toEqual([]);
  await booksBalance();
});

test("the typed number of a receipt that was set aside links it", async () => {
  const shop = await shopWith({ mode: "exact" });
  const { receipt } = await shop.receipt({ amount_minor: 8100, external_id: "4200000444" });
  await ignoreReceipt(ctx, shop, { receipt_id: receipt.id, reason: "a friend's" });
  const { order_id } = await shop.paying(8100);
  await reviewOrder(ctx, shop, { order_id, decision: "approve", received_amount_minor: 8100, external_transaction_id: "4200000444" });
  const shown = await app.api(shop.key).get(`/api/v1/projects/${shop.project_id}/receipts/${receipt.id}`);
  expect(shown.body).toMatchObject({ status: "linked", order_id });
  await booksBalance();
});

test.each(["unfinished", "refunded", "partly_refunded"] as const)(
  "a transfer that is %s pays no order, whether linked or approved by its number",
  async (state) => {
    const shop = await shopWith({ mode: "exact" });
    const { order_id, payable } = await shop.paying();
    const { receipt } = await shop.receipt({ amount_minor: payable, external_id: "4200000555", state });
    expect(await codeOf(linkReceipt(ctx, shop, { receipt_id: receipt.id, order_id }))).toBe("order_state_conflict");
    expect(await codeOf(reviewOrder(ctx, shop, { order_id, decision: "approve", external_transaction_id: "4200000555" }))).toBe(
      "order_state_conflict",
    );
    expect((await shop.order(order_id)).status).toBe("unpaid");
    await booksBalance();
  },
);

describe("the order of a receipt is reported", () => {
  const orderOf = async (shop: ReceiptShop, id: string) =>
    (await app.api(shop.key).get(`/api/v1/projects/${shop.project_id}/receipts/${id}`)).body.order_id as string | null;
  const unpaid = async (shop: ReceiptShop, amount_minor: number) =>
    (await createOrder(ctx, shop, { amount_minor, currency: "CNY" })).order.id;
  const caseOf = async (shop: ReceiptShop) =>
    (await listExceptions(ctx, shop, { limit: 1, filters: { status: ["open"] } })).rows[0]?.id ?? "";

  test("if its payment wasn't started", async () => {
    const shop = await shopWith({ mode: "exact" });
    const order_id = await unpaid(shop, 4100);
    const { receipt } = await shop.receipt({ amount_minor: 4100 });
    await linkReceipt(ctx, shop, { receipt_id: receipt.id, order_id });
    expect(await orderOf(shop, receipt.id)).toBe(order_id);
  });

  test("if it was started with the other wallet, and if more arrived than was owed", async () => {
    const shop = await shopWith({ mode: "exact" });
    const { order_id } = await shop.paying(4200);
    const { receipt } = await shop.receipt({ amount_minor: 4300, channel: "alipay" });
    await linkReceipt(ctx, shop, { receipt_id: receipt.id, order_id });
    expect(await orderOf(shop, receipt.id)).toBe(order_id);
    expect(await shop.cases()).toMatchObject([{ kind: "overpaid" }]);
  });

  test("if its exception was accepted for an order, but not if it is only held or kept", async () => {
    const shop = await shopWith({ mode: "remark" });
    const first = await shop.paying(4400);
    const other = await unpaid(shop, 4400);
    await shop.receipt({ amount_minor: 4400, remark: first.code });
    const { receipt } = await shop.receipt({ amount_minor: 4400, remark: first.code });
    expect(await orderOf(shop, receipt.id)).toBe(null);
    await resolveException(ctx, shop, { exception_id: await caseOf(shop), action: "accept", order_id: other });
    expect(await orderOf(shop, receipt.id)).toBe(other);
    const { receipt: stored } = await shop.receipt({ amount_minor: 4400, remark: first.code });
    await resolveException(ctx, shop, { exception_id: await caseOf(shop), action: "accept" });
    expect(await orderOf(shop, stored.id)).toBe(null);
  });

  test("while it is a part of what its order waits for, and once that is paid", async () => {
    const shop = await shopWith({ mode: "exact" });
    const [order_id, canceled] = [await unpaid(shop, 4500), await unpaid(shop, 4500)];
    const parts = [await shop.receipt({ amount_minor: 1500 }), await shop.receipt({ amount_minor: 1500 })];
    const [one, two] = parts.map(({ receipt }) => receipt.id) as [string, string];
    await linkReceipt(ctx, shop, { receipt_id: one, order_id });
    await linkReceipt(ctx, shop, { receipt_id: two, order_id: canceled });
    expect([await orderOf(shop, one), await orderOf(shop, two)]).toEqual([order_id, canceled]);
    await reviewOrder(ctx, shop, { order_id, decision: "approve", gateway: "wechatpay" });
    await cancelOrder(ctx, shop, { order_id: canceled });
    expect([await orderOf(shop, one), await orderOf(shop, two)]).toEqual([order_id, null]);
  });
});

test("a number that was booked in suspense and taken out again is held again if an approval pays nothing", async () => {
  const shop = await shopWith({ mode: "unique_amount" });
  const canceled = await shop.paying(5000);
  await cancelOrder(ctx, shop, { order_id: canceled.order_id });
  const { receipt } = await shop.receipt({ amount_minor: canceled.payable, external_id: "4200000777" });
  await ignoreReceipt(ctx, shop, { receipt_id: receipt.id, reason: "private" });
  const input = { amount_minor: canceled.payable, currency: "CNY", reference: "INV-777" };
  const { order } = await createOrder(ctx, shop, input);
  await simulatePayment(ctx, shop, { order_id: order.id, outcome: "expire" });
  await createOrder(ctx, shop, input);
  await reviewOrder(ctx, shop, { order_id: order.id, decision: "approve", gateway: "wechatpay", external_transaction_id: "4200000777" });
  expect(await shop.cases()).toMatchObject([{ kind: "late", order_id: order.id }]);
  await booksBalance();
});
