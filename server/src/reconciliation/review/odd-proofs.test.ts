import { expect, test } from "vitest";
import { auditBooks } from "#orders/audit-books.ts";
import { createOrder } from "#orders/order/create-order.ts";
import { reportPayment } from "#orders/payment/report-payment.ts";
import { listVoucherRows } from "#orders/rows/vouchers.sql.ts";
import { withdrawReport } from "#orders/session/withdraw-report.ts";
import { submitVoucher } from "#orders/voucher/submit-voucher.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { recordReceipt } from "../receipt/record-receipt.ts";
import type { ReviewInput } from "./review-input.ts";
import { reviewOrder } from "./review-order.ts";

const { ctx, tenant, api: apiFor } = await testApp();
const shop = await tenant();

async function reported() {
  const { order } = await createOrder(ctx, shop, { amount_minor: 9900, currency: "CNY" });
  await reportPayment(ctx, shop, { order_id: order.id, gateway: "wechatpay" });
  return order;
}
const review = (order_id: string, input: Partial<ReviewInput>) => reviewOrder(ctx, shop, { order_id, decision: "approve", ...input });
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error) => error.code,
  );

test.each([
  ["blanks", " \t "],
  ["nothing that can be seen", "\u200b\u2060"],
  ["two lines", "4200\n0077"],
  ["a receipt's own name", "receipt:rcp_01"],
  ["a simulation's", "Simulated:x"],
  ["an approval's", "manual:x"],
])("a transfer number of %s is refused, both of a review and of a receipt", async (_name, number) => {
  const order = await reported();
  const odd = { code: "parameter_invalid" };
  await expect(review(order.id, { external_transaction_id: number })).rejects.toMatchObject(odd);
  const receipt = { channel: "wechat", source: "listener", amount_minor: 1, occurred_at: ctx.now(), external_id: number } as const;
  await expect(recordReceipt(ctx, shop, receipt)).rejects.toMatchObject(odd);
});

test("a proof that is sent for two orders is flagged on both, and pays only one", async () => {
  const [first, second] = [await reported(), await reported()];
  for (const { id } of [first, second]) await submitVoucher(ctx, shop, { order_id: id, transaction_reference: "4200000700001" });
  const flagged = (await Promise.all([first, second].map(({ id }) => listVoucherRows(ctx.db, shop, [id])))).flat();
  expect(flagged.map((voucher) => voucher.risk_flags)).toEqual([["duplicate_reference"], ["duplicate_reference"]]);
  const both = await Promise.all([first, second].map(({ id }) => codeOf(review(id, {}))));
  expect(both.sort()).toEqual(["done", "review_exists"]);
  expect(await auditBooks(ctx)).toEqual([]);
});

test.each([["42000ref8\t"], [" 42000REF8"], ["42000REF8"], ["42000\u200bref8"], ["４２０００ref8"], ["4200 0ref8"]])(
  "a proof's reference %j is that of another order's proof: flagged, stored as typed, and refused once that one is approved",
  async (spelt) => {
    const own = await tenant();
    const api = apiFor(own.key);
    const path = `/api/v1/projects/${own.project_id}/orders`;
    const order = async () => (await api.post(path, { amount_minor: 9900, currency: "CNY" })).body.id as string;
    const prove = async (id: string, transaction_reference: string) =>
      api.post(`${path}/${id}/voucher`, { gateway: "wechatpay", transaction_reference });
    const [first, second, third] = [await order(), await order(), await order()];
    expect((await prove(first, "42000ref8")).body).toMatchObject({ risk_flags: [] });
    expect((await prove(second, spelt)).body).toMatchObject({ transaction_reference: spelt, risk_flags: ["duplicate_reference"] });
    expect(await api.post(`${path}/${first}/verification`, { decision: "approve" })).toMatchObject({ status: 200 });
    const used = { status: 409, body: { error: { code: "review_exists" } } };
    expect(await prove(third, spelt)).toMatchObject(used);
    expect(await api.post(`${path}/${second}/verification`, { decision: "approve" })).toMatchObject(used);
  },
);

test("a report that is withdrawn after its proof supersedes the proof, and another may be sent and approved", async () => {
  const order = await reported();
  const proofs = async () => (await listVoucherRows(ctx.db, shop, [order.id])).map(({ status, reviewed_by }) => [status, reviewed_by]);
  await submitVoucher(ctx, shop, { order_id: order.id, transaction_reference: "4200000900001" });
  expect(await proofs()).toEqual([["submitted", null]]);
  expect(await withdrawReport(ctx, shop, { order_id: order.id })).toMatchObject({ status: "unpaid" });
  expect(await proofs()).toEqual([["superseded", null]]);
  expect(await codeOf(review(order.id, { gateway: "alipay" }))).not.toBe("done");
  await submitVoucher(ctx, shop, { order_id: order.id, gateway: "wechatpay", transaction_reference: "4200000900001" });
  await review(order.id, {});
  expect(await proofs()).toEqual([
    ["approved", "test"],
    ["superseded", null],
  ]);
  expect(await codeOf(withdrawReport(ctx, shop, { order_id: order.id }))).toBe("order_already_paid");
  expect(await auditBooks(ctx)).toEqual([]);
});

test("a proof with a time in the future or long ago is refused", async () => {
  const order = await reported();
  for (const days of [1, -401]) {
    const paid_at = new Date(ctx.now().getTime() + days * 86_400_000);
    await expect(submitVoucher(ctx, shop, { order_id: order.id, transaction_reference: "42000007", paid_at })).rejects.toMatchObject({
      code: "parameter_invalid",
    });
  }
});
