import { describe, expect, test } from "vitest";
import { createOrder } from "#orders/order/create-order.ts";
import type { Tenant } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { receiptShops } from "#test/support/payments/receipt-shop.ts";
import { type WechatRow, wechatStatement, writtenTime, yuan } from "#test/support/statements/statements.ts";
import { linkReceipt } from "../link-receipt.ts";
import { applyStatement } from "./apply-statement.ts";
import { previewStatement } from "./preview-statement.ts";

const app = await testApp();
const { ctx } = app;
const shopWith = receiptShops(app);
const at = (minutes = 0) => writtenTime(new Date(ctx.now().getTime() + minutes * 60_000));

async function takeIn(shop: Tenant, rows: WechatRow[]) {
  const preview = await previewStatement(ctx, shop, { bytes: wechatStatement(rows), sha256: "0".repeat(64) });
  return {
    preview,
    applied: await applyStatement(ctx, shop, { preview_id: preview.preview_id, maySettle: { isPerson: true, isReviewer: true } }),
  };
}

describe("returned money without a number identifies no order", () => {
  const back = (payer: string, minor: number) => ({
    direction: "支出",
    type: "二维码收款-退款",
    payer,
    amount: yuan(minor),
    time: at(9),
    number: "1000000999",
  });
  const refundsOf = async (shop: Tenant, rows: WechatRow[]) => {
    const { preview, applied } = await takeIn(shop, rows);
    expect(applied.refunds).toHaveLength(preview.refunds.length);
    return applied.refunds.map(({ order_id }) => order_id);
  };
  /** An order that a payer paid, reported by a statement. */
  async function paidBy(payer: string) {
    const shop = await shopWith({ mode: "unique_amount" });
    const { order_id, payable } = await shop.paying(9000);
    const row = { amount: yuan(payable), time: at(1), number: "1000000701", payer };
    await takeIn(shop, [row]);
    return { shop, order_id, row };
  }

  test("if another, unassigned transfer of the payer may be what was returned", async () => {
    const { shop } = await paidBy("小李");
    await takeIn(shop, [{ amount: "¥50.00", time: at(2), number: "1000000702", payer: "小李" }]);
    expect(await refundsOf(shop, [back("小李", 5000)])).toEqual([]);
  });

  test("if the payer's other order was paid without a payment of that wallet", async () => {
    const { shop } = await paidBy("小王");
    const { order } = await createOrder(ctx, shop, { amount_minor: 5000, currency: "CNY" });
    const { receipt } = await shop.receipt({ amount_minor: 5000, payer_hint: "小王", external_id: "1000000703" });
    await linkReceipt(ctx, shop, { receipt_id: receipt.id, order_id: order.id });
    expect(await refundsOf(shop, [back("小王", 5000)])).toEqual([]);
  });

  test("if the payer's other transfer is in the same file", async () => {
    const { shop } = await paidBy("小赵");
    expect(await refundsOf(shop, [{ amount: "¥50.00", time: at(2), number: "1000000704", payer: "小赵" }, back("小赵", 5000)])).toEqual([]);
  });

  test("if the row of the returned payment says so itself", async () => {
    const { shop, order_id, row } = await paidBy("小周");
    const second = await shop.paying(9000);
    await takeIn(shop, [{ ...row, amount: yuan(second.payable), number: "1000000705" }]);
    expect(await refundsOf(shop, [{ ...row, state: "已退款(￥50.00)" }, back("小周", 5000)])).toEqual([order_id]);
  });
});
