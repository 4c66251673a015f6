import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { fingerprintDatabase } from "#test/support/database/whole-database.sql.ts";
import { receiptShops } from "#test/support/payments/receipt-shop.ts";
import { previewReceipts } from "./preview-receipts.ts";
import { type ReceiptInput, recordReceipts } from "./record-receipt.ts";

const app = await testApp();
const { ctx } = app;
const shopWith = receiptShops(app);

test("a preview says what applying then does, in any order of rows, and writes nothing", async () => {
  const shop = await shopWith({ mode: "unique_amount" }, { ignore_rules: [{ field: "type", text: "红包" }] });
  const [own, twice, coded] = [await shop.paying(6100), await shop.paying(6100), await shop.paying(1)];
  const known = await shop.receipt({ amount_minor: 777, external_id: "KNOWN1" });
  const minute = (n: number) => new Date(ctx.now().getTime() + n * 60_000);
  const row = (amount_minor: number, external_id: string, more: Partial<ReceiptInput> = {}): ReceiptInput => ({
    channel: "wechat",
    source: "statement",
    amount_minor,
    external_id,
    occurred_at: minute(1),
    ...more,
  });
  const rows = [
    row(twice.payable, "T3", { occurred_at: minute(9) }),
    row(own.payable, "T1"),
    row(twice.payable, "T2", { occurred_at: minute(2) }),
    row(6100, "T4"),
    row(5, "T5", { remark: `转账备注:${coded.code}` }),
    row(1, "T6", { remark: coded.code }),
    row(520, "T7", { kind: "微信红包" }),
    row(888, "T8"),
    row(777, " known1\t"),
    row(own.payable, "T9", { state: "refunded" }),
  ];
  const before = await fingerprintDatabase(ctx.db);
  const previewed = await previewReceipts(ctx, shop, rows);
  expect(await fingerprintDatabase(ctx.db)).toEqual(before);
  expect(previewed.map((one) => [one.outcome, one.order_id])).toEqual([
    ["held", twice.order_id],
    ["settled", own.order_id],
    ["settled", twice.order_id],
    ["unmatched", null],
    ["held", coded.order_id],
    ["settled", coded.order_id],
    ["ignored", null],
    ["unmatched", null],
    ["skipped", null],
    ["suggested", own.order_id],
  ]);
  const applied = await recordReceipts(ctx, shop, rows);
  expect(applied.map((one) => (one.created ? one.outcome : "skipped"))).toEqual(previewed.map((one) => one.outcome));
  expect(applied[8]?.receipt.id).toBe(known.receipt.id);
  expect((await recordReceipts(ctx, shop, rows)).map((one) => one.created)).toEqual(rows.map(() => false));
});
