import { describe, expect, test } from "vitest";
import { type TestTenant, testApp } from "#test/support/app/test-app.ts";
import { alipayCode } from "#test/support/payments/pay-shop.ts";
import { bookFaults, receiptShops } from "#test/support/payments/receipt-shop.ts";
import { alipayStatement, wechatStatement, writtenTime, yuan } from "#test/support/statements/statements.ts";

const app = await testApp();
const { ctx } = app;
const shopWith = receiptShops(app);
const receipts = (shop: TestTenant) => `/api/v1/projects/${shop.project_id}/receipts`;
const at = (minutes = 0) => new Date(ctx.now().getTime() + minutes * 60_000);

async function takeIn(shop: TestTenant, file: Buffer) {
  const api = app.api(shop.key);
  const preview = (await api.upload(`${receipts(shop)}/import`, file)).body;
  const applied = (await api.post(`${receipts(shop)}/import/${preview.preview_id}/apply`, {})).body;
  return { preview, applied };
}

const listed = async (shop: TestTenant) => (await app.api(shop.key).get(receipts(shop))).body.data;

describe("a transfer that was refunded stays refunded", () => {
  test("when an older statement, or one of another kind, still shows it as received", async () => {
    const shop = await shopWith({ mode: "unique_amount" });
    const { payable, order_id } = await shop.paying();
    const row = { amount: yuan(payable), time: writtenTime(at(1)), number: "1000000701" };
    await takeIn(shop, wechatStatement([{ ...row, state: "已全额退款" }]));
    for (const state of ["已收钱", "待确认收款"]) {
      const { preview, applied } = await takeIn(shop, wechatStatement([{ ...row, state }]));
      for (const body of [preview, applied]) expect(body).toMatchObject({ rows: 1, settled: 0, skipped: 1, known: 1 });
      expect(await listed(shop)).toMatchObject([{ state: "refunded", status: "unmatched" }]);
    }
    expect(await shop.order(order_id)).toMatchObject({ status: "unpaid", received: 0 });
    expect(await bookFaults(app)).toEqual([]);
  });

  test.each([
    ["12.50", "refunded"],
    ["2.50", "partly_refunded"],
  ])("once a later statement has only the row of its refund of %s", async (amount, state) => {
    const shop = await shopWith({ mode: "exact" }, { channel: "alipay", qr_payload: alipayCode });
    const number = "2026112022001412345678901234";
    await takeIn(shop, alipayStatement([{ number, time: writtenTime(at()) }]));
    await takeIn(
      shop,
      alipayStatement([{ direction: "支出", kind: "退款", state: "退款成功", amount, number: `${number}_R1`, time: writtenTime(at(2)) }]),
    );
    const [receipt] = await listed(shop);
    expect(receipt).toMatchObject({ state, status: "unmatched" });
    const order = await app.api(shop.key).post(`/api/v1/projects/${shop.project_id}/orders`, { amount_minor: 1250, currency: "CNY" });
    const linked = await app.api(shop.key).post(`${receipts(shop)}/${receipt.id}/link`, { order_id: order.body.id });
    expect(linked).toMatchObject({ status: 409, body: { error: { code: "order_state_conflict" } } });
  });

  test("when a notification of it arrives after the statement", async () => {
    const shop = await shopWith({ mode: "unique_amount" });
    const { payable, order_id } = await shop.paying();
    await takeIn(shop, wechatStatement([{ amount: yuan(payable), time: writtenTime(at(-4)), state: "已全额退款" }]));
    const notified = { amount_minor: payable, source: "listener" as const, external_id: null };
    expect((await shop.receipt({ ...notified, occurred_at: at(-3) })).outcome).toBe("suggested");
    expect(await shop.order(order_id)).toMatchObject({ status: "unpaid", received: 0 });
    expect((await shop.receipt({ ...notified, occurred_at: at(4) })).outcome).toBe("settled");
    expect(await bookFaults(app)).toEqual([]);
  });
});

describe("what a statement says of a transfer that was reported before", () => {
  const number = "1000000801";

  test.each(["listener", "manual"] as const)("pays the order that its note names (%s)", async (source) => {
    const shop = await shopWith({ mode: "remark" });
    const { payable, order_id, code } = await shop.paying();
    const { receipt } = await shop.receipt({ amount_minor: payable, source, external_id: number, remark: null });
    const { preview, applied } = await takeIn(
      shop,
      wechatStatement([{ amount: yuan(payable), time: writtenTime(at(1)), number, note: code ?? "" }]),
    );
    for (const body of [preview, applied]) expect(body).toMatchObject({ rows: 1, settled: 1, skipped: 0, created: 0 });
    expect(preview.planned).toMatchObject([{ outcome: "settled", order_id, known: true }]);
    expect(await shop.order(order_id)).toMatchObject({ status: "paid", flags: ["auto_matched"] });
    expect(await listed(shop)).toMatchObject([{ id: receipt.id, source: "statement", status: "matched" }]);
    expect(await bookFaults(app)).toEqual([]);
  });

  test("pays the order whose amount someone typed in, and changes nothing that a person has decided", async () => {
    const shop = await shopWith({ mode: "unique_amount" });
    const [waiting, decided] = [await shop.paying(), await shop.paying()];
    const typed = { source: "manual" as const, remark: "typed" };
    await shop.receipt({ ...typed, amount_minor: waiting.payable, external_id: number });
    const { receipt } = await shop.receipt({ ...typed, amount_minor: decided.payable, external_id: `${number}1` });
    await app.api(shop.key).post(`${receipts(shop)}/${receipt.id}/ignore`, { reason: "private" });
    const rows = [waiting, decided].map(({ payable }, index) => ({
      amount: yuan(payable),
      time: writtenTime(at(1)),
      number: index === 0 ? number : `${number}1`,
    }));
    expect((await takeIn(shop, wechatStatement(rows))).applied).toMatchObject({ rows: 2, settled: 1, skipped: 1, known: 1 });
    expect((await shop.order(waiting.order_id)).status).toBe("paid");
    expect((await shop.order(decided.order_id)).status).toBe("unpaid");
    expect((await listed(shop)).find((one: { id: string }) => one.id === receipt.id)).toMatchObject({ source: "manual", remark: "typed" });
  });
});
