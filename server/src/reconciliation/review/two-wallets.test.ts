import { expect, test } from "vitest";
import { putProfile } from "#collection/index.ts";
import { createOrder } from "#orders/order/create-order.ts";
import { findOrder } from "#orders/order/find-order.ts";
import { listOrderEvents, listPayments } from "#orders/order/list-parts.ts";
import { reportPayment } from "#orders/payment/report-payment.ts";
import { startPayment } from "#orders/payment/start-payment.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { booksBalanceOf } from "#test/support/books/books-balance.ts";
import { alipayCode } from "#test/support/payments/pay-shop.ts";
import { type ReceiptShop, receiptShops } from "#test/support/payments/receipt-shop.ts";
import { linkReceipt } from "../receipt/link-receipt.ts";
import type { ReviewInput } from "./review-input.ts";
import { reviewOrder } from "./review-order.ts";

const app = await testApp();
const { ctx } = app;
const shopWith = receiptShops(app);
const booksBalance = booksBalanceOf(app);
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error) => error.code,
  );

/** A shop with a code of each wallet. */
async function shopOfTwo(mode: "exact" | "unique_amount"): Promise<ReceiptShop> {
  const shop = await shopWith({ mode });
  await putProfile(ctx, shop, { channel: "alipay", if_version: null, qr_payload: alipayCode, matching: { mode } });
  return shop;
}

/** An order whose buyer opened both wallets, `last` after the other one. */
async function openedBoth(shop: ReceiptShop, amount_minor: number, last: "alipay" | "wechatpay" = "wechatpay") {
  const { order } = await createOrder(ctx, shop, { amount_minor, currency: "CNY" });
  const gateways = last === "wechatpay" ? ["alipay", "wechatpay"] : ["wechatpay", "alipay"];
  const payable: Record<string, number> = {};
  for (const gateway of gateways)
    payable[gateway] = (await startPayment(ctx, shop, { order_id: order.id, gateway })).session.payable_amount_minor;
  return { order_id: order.id, payable };
}

const approve = (shop: ReceiptShop, order_id: string, input: Partial<ReviewInput>) =>
  codeOf(reviewOrder(ctx, shop, { order_id, decision: "approve", gateway: "alipay", ...input }));

test("an approval through one wallet takes no transfer that pays another order there, though the buyer opened the other wallet last", async () => {
  const shop = await shopOfTwo("exact");
  const first = await openedBoth(shop, 3100, "alipay");
  expect(await approve(shop, first.order_id, {})).toBe("done");
  const { receipt } = await shop.receipt({ channel: "alipay", amount_minor: 3100, external_id: "2026112622001" });
  expect(receipt.status).toBe("linked");
  const second = await openedBoth(shop, 3100);
  expect(await approve(shop, second.order_id, { external_transaction_id: "2026112622001" })).toBe("review_exists");
  expect(await shop.order(second.order_id)).toMatchObject({ status: "unpaid", received: 0 });
  await booksBalance();
});

test("an approval through one wallet is linked to its waiting receipt there, and refused for a refunded one", async () => {
  const shop = await shopOfTwo("exact");
  const [linked, refused] = [await openedBoth(shop, 3200), await openedBoth(shop, 3300)];
  const { receipt } = await shop.receipt({ channel: "alipay", amount_minor: 3200, external_id: "2026112622002" });
  await shop.receipt({ channel: "alipay", amount_minor: 3300, external_id: "2026112622003", state: "refunded" });
  expect(await approve(shop, linked.order_id, { external_transaction_id: "2026112622002" })).toBe("done");
  const shown = await app.api(shop.key).get(`/api/v1/projects/${shop.project_id}/receipts/${receipt.id}`);
  expect(shown.body).toMatchObject({ status: "linked", order_id: linked.order_id });
  expect(await approve(shop, refused.order_id, { external_transaction_id: "2026112622003" })).toBe("order_state_conflict");
  expect((await shop.order(refused.order_id)).status).toBe("unpaid");
  await booksBalance();
});

test("the lowered amount of one wallet pays its order when a person assigns it, though the buyer opened the other wallet last", async () => {
  const shop = await shopOfTwo("unique_amount");
  const { order_id, payable } = await openedBoth(shop, 10_000, "alipay");
  const { receipt } = await shop.receipt({ amount_minor: payable["wechatpay"] ?? 0, source: "manual" });
  expect(receipt.status).toBe("unmatched");
  const person = { ...ctx, actor: { kind: "person" as const, id: "usr_other" } };
  await linkReceipt(person, shop, { receipt_id: receipt.id, order_id });
  expect(await shop.order(order_id)).toEqual({ status: "paid", flags: ["manually_verified"], received: payable["wechatpay"] });
  expect(await shop.cases()).toEqual([]);
  await booksBalance();
});

test("a rejection that names another wallet than the reported payment's is refused and changes nothing", async () => {
  const shop = await shopOfTwo("exact");
  const { order_id } = await openedBoth(shop, 3400);
  await reportPayment(ctx, shop, { order_id });
  const state = async () => ({
    order: (await findOrder(ctx, shop, order_id)).order,
    payments: (await listPayments(ctx, shop, { order_id, limit: 9 })).rows,
    events: (await listOrderEvents(ctx, shop, { order_id, limit: 9 })).rows.length,
  });
  const before = await state();
  const reject = (more: Partial<ReviewInput>) =>
    codeOf(reviewOrder(ctx, shop, { order_id, decision: "reject", reason_code: "not_received", ...more }));
  expect(await reject({ gateway: "alipay" })).toBe("parameter_conflict");
  expect(await state()).toEqual(before);
  expect(await reject({ gateway: "wechatpay" })).toBe("done");
  expect((await state()).payments.map(({ status }) => status)).toEqual(["failed", "canceled"]);
  expect((await shop.order(order_id)).status).toBe("unpaid");
});
