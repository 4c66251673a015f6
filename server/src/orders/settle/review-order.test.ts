import { describe, expect, test } from "vitest";
import { house } from "#test/house.ts";
import { auditBooks } from "../audit-books.ts";
import { createOrder } from "../order/create-order.ts";
import { expireDue } from "../order/expire-due.ts";
import { findOrder } from "../order/find-order.ts";
import { listOrderEvents } from "../order/list-parts.ts";
import { reportPayment } from "../session/report-payment.ts";
import { submitVoucher } from "../voucher/submit-voucher.ts";
import { type ReviewInput, reviewOrder } from "./review-order.ts";
import { simulatePayment } from "./simulate-payment.ts";

const { ctx, tenant, clock } = await house();
const shop = await tenant();

async function reported(change: { expires_in?: number; reference?: string } = {}) {
  const { order } = await createOrder(ctx, shop, { amount_minor: 9900, currency: "CNY", ...change });
  await reportPayment(ctx, shop, { order_id: order.id, gateway: "wechatpay" });
  return order;
}
const review = (order_id: string, input: Partial<ReviewInput>) => reviewOrder(ctx, shop, { order_id, decision: "approve", ...input });
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error) => error.code,
  );
const eventsOf = async (id: string) => (await listOrderEvents(ctx, shop, { order_id: id, limit: 100 })).rows.map((row) => row.event).reverse();

test("approval pays through the settle path and marks the order as verified by hand", async () => {
  const order = await reported();
  const { order: paid, session } = await review(order.id, {});
  expect(paid).toMatchObject({ status: "paid", flags: ["manually_verified"], amount_received_minor: 9900 });
  expect(session).toMatchObject({ status: "succeeded", reviewed_by: "test" });
  expect(await eventsOf(order.id)).toEqual(["order.created", "order.payment_pending_verify", "order.paid", "transaction.completed"]);
});

test.each<[string, Partial<ReviewInput>, Partial<ReviewInput>]>([
  ["two approvals", {}, {}],
  ["an approval and a rejection", {}, { decision: "reject", reason_code: "not_received" }],
  ["two rejections", { decision: "reject", reason_code: "not_received" }, { decision: "reject", reason_code: "fraud" }],
])("%s at once: the second reviewer is told, one decision stands", async (_name, first, second) => {
  const order = await reported();
  expect((await Promise.all([codeOf(review(order.id, first)), codeOf(review(order.id, second))])).sort()).toEqual(["done", "review_exists"]);
  expect(await auditBooks(ctx)).toEqual([]);
});

describe("rejection", () => {
  test("in time returns the order to the buyer with the reason", async () => {
    const order = await reported();
    const { order: back, session } = await review(order.id, { decision: "reject", reason_code: "unreadable", note: "Too dark" });
    expect(back).toMatchObject({ status: "unpaid", failure_code: null, rejection: { reason_code: "unreadable", note: "Too dark" } });
    expect(session).toMatchObject({ status: "failed", failure_code: "unreadable" });
    expect(await eventsOf(order.id)).toEqual(["order.created", "order.payment_pending_verify", "order.verification_rejected", "payment.session.failed"]);
  });

  test.each<[string, Partial<ReviewInput>, number]>([
    ["for fraud", { reason_code: "fraud" }, 0],
    ["said to be final", { reason_code: "not_received", final: true }, 0],
    ["after the order's time", { reason_code: "not_received" }, 400],
  ])("%s ends the order as failed", async (_name, input, laterSeconds) => {
    const order = await reported({ expires_in: 300 });
    clock.advance(laterSeconds * 1000);
    const { order: failed } = await review(order.id, { decision: "reject", ...input });
    expect(failed).toMatchObject({ status: "failed", failure_code: "proof_rejected" });
    expect(await eventsOf(order.id)).toContain("order.failed");
  });

  test("can be mended: a new proof brings the order back and approval pays it", async () => {
    const order = await reported();
    await review(order.id, { decision: "reject", reason_code: "fraud" });
    await submitVoucher(ctx, shop, { order_id: order.id, transaction_reference: "4200001" });
    expect((await review(order.id, {})).order).toMatchObject({ status: "paid", flags: ["manually_verified"] });
  });

  test("without a reason is refused", async () => {
    expect(await codeOf(review((await reported()).id, { decision: "reject" }))).toBe("parameter_missing");
  });
});

test("an order under review does not expire, and a report after expiry is heard", async () => {
  const waiting = await reported({ expires_in: 300 });
  const { order: late } = await createOrder(ctx, shop, { amount_minor: 100, currency: "CNY", expires_in: 300 });
  clock.advance(301_000);
  for (let expired = 1; expired > 0; ) expired = await expireDue(ctx);
  expect((await findOrder(ctx, shop, waiting.id)).order.status).toBe("pending_verify");
  expect((await findOrder(ctx, shop, late.id)).order).toMatchObject({ status: "expired", failure_code: "expired" });
  await reportPayment(ctx, shop, { order_id: late.id, gateway: "alipay" });
  expect((await review(late.id, {})).order).toMatchObject({ status: "paid", flags: ["manually_verified", "paid_late"] });
});

test("a reviewer's transaction id that was booked before is refused, and the order stays as it was", async () => {
  const [first, second] = [await reported(), await reported()];
  await review(first.id, { external_transaction_id: "42000077" });
  expect(await codeOf(review(second.id, { external_transaction_id: "42000077" }))).toBe("review_exists");
  expect((await findOrder(ctx, shop, second.id)).order.status).toBe("pending_verify");
});

test("less than the amount is held and the order waits for the rest; more is held as excess", async () => {
  const [short, over] = [await reported(), await reported()];
  expect((await review(short.id, { received_amount_minor: 9000 })).order).toMatchObject({
    status: "unpaid",
    flags: ["underpaid"],
    amount_received_minor: 9000,
  });
  expect((await review(over.id, { received_amount_minor: 10_000 })).order).toMatchObject({ status: "paid", flags: ["manually_verified", "overpaid"] });
  expect(await auditBooks(ctx)).toEqual([]);
});

describe("proofs", () => {
  test("the same reference on another order is flagged, and refused once it was approved there", async () => {
    const [first, second, third] = [await reported(), await reported(), await reported()];
    const proof = (order_id: string) => submitVoucher(ctx, shop, { order_id, transaction_reference: "REF-1" });
    expect((await proof(first.id)).voucher.risk_flags).toEqual([]);
    expect((await proof(second.id)).voucher.risk_flags).toEqual(["duplicate_reference"]);
    await review(first.id, {});
    expect(await codeOf(proof(third.id))).toBe("review_exists");
  });

  test("a newer proof supersedes the waiting one, five in all", async () => {
    const order = await reported();
    for (let count = 1; count <= 5; count += 1) await submitVoucher(ctx, shop, { order_id: order.id, transaction_reference: `R${order.id}${count}` });
    expect(await codeOf(submitVoucher(ctx, shop, { order_id: order.id, transaction_reference: "R6" }))).toBe("limit_reached");
  });

  test.each([
    ["neither file nor reference", {}, "parameter_missing"],
    ["a card number in the note", { transaction_reference: "1", note: "4242 4242 4242 4242" }, "card_number_refused"],
    ["an asset of nobody", { asset_id: "ast_01m7wkbxw1e5t8gjqx58vk4q8n" }, "parameter_invalid"],
  ])("%s is refused", async (_name, input, code) => {
    expect(await codeOf(submitVoucher(ctx, shop, { order_id: (await reported()).id, ...input }))).toBe(code);
  });
});

test("the simulator goes through the same path with every outcome", async () => {
  const outcomes = {
    paid: "paid",
    failed: "unpaid",
    pending_verify: "pending_verify",
    underpaid: "unpaid",
    overpaid: "paid",
    late: "paid",
    duplicate_callback: "paid",
    expire: "expired",
  } as const;
  for (const [outcome, status] of Object.entries(outcomes)) {
    const { order } = await createOrder(ctx, shop, { amount_minor: 9900, currency: "CNY" });
    expect((await simulatePayment(ctx, shop, { order_id: order.id, outcome: outcome as keyof typeof outcomes })).order.status, outcome).toBe(status);
  }
  expect(await codeOf(simulatePayment(ctx, { ...shop, livemode: true }, { order_id: "ord_x" }))).toBe("environment_mismatch");
  expect(await auditBooks(ctx)).toEqual([]);
});
