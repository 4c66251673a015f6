import { describe, expect, test } from "vitest";
import { putProfile } from "#collection/index.ts";
import { auditBooks } from "#orders/audit-books.ts";
import { createOrder } from "#orders/order/create-order.ts";
import { expireDue } from "#orders/order/expire-due.ts";
import { findOrder } from "#orders/order/find-order.ts";
import { listOrderEvents, listPayments } from "#orders/order/list-parts.ts";
import { reportPayment } from "#orders/payment/report-payment.ts";
import { startPayment } from "#orders/payment/start-payment.ts";
import { simulatePayment } from "#orders/settle/simulate-payment.ts";
import { submitVoucher } from "#orders/voucher/submit-voucher.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { recordReceipt } from "../receipt/record-receipt.ts";
import type { ReviewInput } from "./review-input.ts";
import { reviewOrder } from "./review-order.ts";

const { ctx, tenant, clock } = await testApp();
const shop = await tenant();
const code = "wxp://f2f0AbCdEfGhIjKlMnOpQrStUvWxYz01234";

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
const eventsOf = async (id: string) =>
  (await listOrderEvents(ctx, shop, { order_id: id, limit: 100 })).rows.map((row) => row.event).reverse();

test("approval pays through the settle path and marks the order as verified manually", async () => {
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
])("%s concurrently: the second reviewer is notified, one decision remains", async (_name, first, second) => {
  const order = await reported();
  const codes = await Promise.all([codeOf(review(order.id, first)), codeOf(review(order.id, second))]);
  expect(codes.sort()).toEqual(["done", "review_exists"]);
  expect(await auditBooks(ctx)).toEqual([]);
});

describe("rejection", () => {
  test("in time returns the order to the buyer with the reason", async () => {
    const order = await reported();
    const { order: back, session } = await review(order.id, { decision: "reject", reason_code: "unreadable", note: "Too dark" });
    expect(back).toMatchObject({ status: "unpaid", failure_code: null, rejection: { reason_code: "unreadable", note: "Too dark" } });
    expect(session).toMatchObject({ status: "failed", failure_code: "unreadable" });
    expect(await eventsOf(order.id)).toEqual([
      "order.created",
      "order.payment_pending_verify",
      "order.verification_rejected",
      "payment.session.failed",
    ]);
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

  test("can be corrected: a new proof returns the order to review and approval pays it", async () => {
    const order = await reported();
    await review(order.id, { decision: "reject", reason_code: "fraud" });
    await submitVoucher(ctx, shop, { order_id: order.id, transaction_reference: "4200001" });
    expect((await review(order.id, {})).order).toMatchObject({ status: "paid", flags: ["manually_verified"] });
  });

  test("without a reason is refused", async () => {
    expect(await codeOf(review((await reported()).id, { decision: "reject" }))).toBe("parameter_missing");
  });
});

test("an order under review doesn't expire, and a report after expiry is accepted", async () => {
  const waiting = await reported({ expires_in: 300 });
  const { order: late } = await createOrder(ctx, shop, { amount_minor: 100, currency: "CNY", expires_in: 300 });
  clock.advance(301_000);
  for (let expired = 1; expired > 0; ) expired = await expireDue(ctx);
  expect((await findOrder(ctx, shop, waiting.id)).order.status).toBe("pending_verify");
  expect((await findOrder(ctx, shop, late.id)).order).toMatchObject({ status: "expired", failure_code: "expired" });
  await reportPayment(ctx, shop, { order_id: late.id, gateway: "alipay" });
  expect((await review(late.id, {})).order).toMatchObject({ status: "paid", flags: ["manually_verified", "paid_late"] });
});

test("a reviewer's transaction id that was booked before is refused, and the order remains as it was", async () => {
  const [first, second] = [await reported(), await reported()];
  await review(first.id, { external_transaction_id: "42000077" });
  expect(await codeOf(review(second.id, { external_transaction_id: "42000077" }))).toBe("review_exists");
  expect((await findOrder(ctx, shop, second.id)).order.status).toBe("pending_verify");
});

describe("what arrived compared with what was expected", () => {
  const notPaid = async (id: string) =>
    expect((await findOrder(ctx, shop, id)).order).toMatchObject({ status: "pending_verify", flags: [] });

  test("less than the payable amount needs confirmation, and pays once the exact shortfall is confirmed", async () => {
    const order = await reported();
    const refused = await review(order.id, { received_amount_minor: 9000 }).catch((error) => error);
    expect(refused).toMatchObject({
      code: "shortfall_unconfirmed",
      extras: { fields: { expected_minor: 9900, received_minor: 9000, shortfall_minor: 900 } },
    });
    for (const confirm_shortfall_minor of [899, 901]) {
      expect(await codeOf(review(order.id, { received_amount_minor: 9000, confirm_shortfall_minor }))).toBe("shortfall_unconfirmed");
    }
    expect(await codeOf(review(order.id, { received_amount_minor: 9900, confirm_shortfall_minor: 100 }))).toBe("shortfall_unconfirmed");
    await notPaid(order.id);
    expect((await review(order.id, { received_amount_minor: 9000, confirm_shortfall_minor: 900 })).order).toMatchObject({
      status: "paid",
      flags: ["manually_verified", "underpaid"],
      amount_received_minor: 9000,
    });
    expect(await auditBooks(ctx)).toEqual([]);
  });

  test("one fen less also needs confirmation: a tolerance is for money that was seen", async () => {
    expect(await codeOf(review((await reported()).id, { received_amount_minor: 9899 }))).toBe("shortfall_unconfirmed");
  });

  test("a proof of another amount needs confirmation before it is booked as the full one", async () => {
    const proven = async (amount_minor: number) => {
      const order = await reported();
      await submitVoucher(ctx, shop, { order_id: order.id, transaction_reference: `R${order.id}`, amount_minor });
      return order;
    };
    const [less, more] = [await proven(4500), await proven(10_000)];
    expect(await codeOf(review(less.id, {}))).toBe("shortfall_unconfirmed");
    expect(await codeOf(review(more.id, {}))).toBe("parameter_missing");
    await notPaid(less.id);
    await notPaid(more.id);
    const { order: inFull } = await review(less.id, { received_amount_minor: 9900 });
    expect(inFull).toMatchObject({ status: "paid", amount_received_minor: 9900, flags: ["manually_verified"] });
    for (const confirm of [{}, { confirm_excess_minor: 99 }])
      expect(await review(more.id, { received_amount_minor: 10_000, ...confirm }).catch((error) => error)).toMatchObject({
        code: "parameter_missing",
        extras: { param: "confirm_excess_minor", fields: { expected_minor: 9900, received_minor: 10_000, excess_minor: 100 } },
      });
    await notPaid(more.id);
    const { order: overpaid } = await review(more.id, { received_amount_minor: 10_000, confirm_excess_minor: 100 });
    expect(overpaid).toMatchObject({ status: "paid", flags: ["manually_verified", "overpaid"] });
    expect(await auditBooks(ctx)).toEqual([]);
  });

  test("anything from the payable amount to the order's amount pays exactly", async () => {
    const lowered = await tenant();
    const matching = { mode: "unique_amount", max_offset_minor: 20 } as const;
    await putProfile(ctx, lowered, { channel: "wechat", if_version: null, qr_payload: code, matching });
    const start = async () => {
      const { order } = await createOrder(ctx, lowered, { amount_minor: 9900, currency: "CNY" });
      const { session } = await startPayment(ctx, lowered, { order_id: order.id, gateway: "wechatpay" });
      return { order, payable: session.payable_amount_minor };
    };
    let lowest = await start();
    while (lowest.payable > 9895) lowest = await start();
    const approve = (received_amount_minor: number) =>
      reviewOrder(ctx, lowered, { order_id: lowest.order.id, decision: "approve", received_amount_minor });
    const proof = async (amount_minor: number) =>
      (await submitVoucher(ctx, lowered, { order_id: lowest.order.id, transaction_reference: `P${amount_minor}`, amount_minor })).voucher
        .risk_flags;
    for (const amount_minor of [lowest.payable - 1, 9901]) expect(await proof(amount_minor)).toEqual(["amount_mismatch"]);
    for (const amount_minor of [9900, lowest.payable]) expect(await proof(amount_minor)).toEqual([]);
    expect(await codeOf(approve(lowest.payable - 1))).toBe("shortfall_unconfirmed");
    const { order } = await approve(lowest.payable + 2);
    expect(order).toMatchObject({ status: "paid", flags: ["manually_verified"], amount_received_minor: lowest.payable + 2 });
    expect(await auditBooks(ctx)).toEqual([]);
  });
});

describe("an order that wasn't reported", () => {
  const unpaid = async () => (await createOrder(ctx, shop, { amount_minor: 9900, currency: "CNY" })).order;
  const paymentsOf = async (order_id: string) => (await listPayments(ctx, shop, { order_id, limit: 9 })).rows;
  const mark = (order_id: string, input: Partial<ReviewInput> = {}) => review(order_id, { gateway: "alipay", ...input });

  test("is marked as paid with a channel, a transfer number and a date, and the statement that shows the transfer books nothing more", async () => {
    const order = await unpaid();
    const paid_at = new Date(ctx.now().getTime() - 3 * 86_400_000);
    const { order: paid, session } = await mark(order.id, { external_transaction_id: `A${order.id}`, paid_at });
    expect(paid).toMatchObject({ status: "paid", flags: ["manually_verified"], amount_received_minor: 9900 });
    expect(session).toMatchObject({ gateway: "alipay", status: "succeeded", reviewed_by: "test" });
    const seen = { channel: "alipay", amount_minor: 9900, occurred_at: paid_at, source: "statement", external_id: `A${order.id}` } as const;
    expect((await recordReceipt(ctx, shop, seen)).receipt).toMatchObject({ status: "linked", payment_session_id: session?.id });
    expect(await auditBooks(ctx)).toEqual([]);
  });

  test("is marked as paid after an attempt was rejected, and both decisions are recorded", async () => {
    const order = await reported();
    await review(order.id, { decision: "reject", reason_code: "not_received" });
    expect(await codeOf(review(order.id, {}))).toBe("review_exists");
    const { order: paid } = await mark(order.id, { gateway: "wechatpay" });
    expect(paid).toMatchObject({ status: "paid" });
    expect((await paymentsOf(order.id)).map(({ status }) => status)).toEqual(["succeeded", "failed"]);
  });

  test("is marked as paid once, however many reviewers do it concurrently", async () => {
    const order = await unpaid();
    const codes = await Promise.all(
      ["a", "b", "c"].map((number) => codeOf(mark(order.id, { external_transaction_id: `${order.id}${number}` }))),
    );
    expect(codes.sort()).toEqual(["done", "review_exists", "review_exists"]);
    expect((await findOrder(ctx, shop, order.id)).order).toMatchObject({ status: "paid", amount_received_minor: 9900, version: 2 });
    expect(await auditBooks(ctx)).toEqual([]);
  });

  test("answers the same approval again with the first result, and another order with the transfer's number not at all", async () => {
    const [order, other] = [await unpaid(), await unpaid()];
    const input = { external_transaction_id: `T${order.id}` };
    const first = await mark(order.id, input);
    expect((await mark(order.id, input)).order).toEqual(first.order);
    expect(await codeOf(mark(other.id, input))).toBe("review_exists");
    expect((await findOrder(ctx, shop, other.id)).order).toMatchObject({ status: "unpaid", version: 1 });
  });

  test.each<[string, Partial<ReviewInput>, string]>([
    ["without a channel", { gateway: undefined as never }, "parameter_missing"],
    ["with a date in the future", { paid_at: new Date("2027-11-20T08:00:00Z") }, "parameter_invalid"],
    ["with a date more than 400 days ago", { paid_at: new Date("2025-10-10T08:00:00Z") }, "parameter_invalid"],
    ["with less than its amount", { received_amount_minor: 9000 }, "shortfall_unconfirmed"],
  ])("is refused %s, and nothing is written", async (_name, input, expected) => {
    const order = await unpaid();
    expect(await codeOf(mark(order.id, input))).toBe(expected);
    expect((await findOrder(ctx, shop, order.id)).order).toMatchObject({ status: "unpaid", version: 1 });
    expect(await paymentsOf(order.id)).toEqual([]);
  });

  test("is refused for the channel other than the one where its payment was started, and in another currency", async () => {
    expect(await codeOf(mark((await reported()).id))).toBe("parameter_conflict");
    const { order } = await createOrder(ctx, shop, { amount_minor: 9900, currency: "USD" });
    expect(await codeOf(mark(order.id))).toBe("unsupported_currency");
  });
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
    for (let count = 1; count <= 5; count += 1)
      await submitVoucher(ctx, shop, { order_id: order.id, transaction_reference: `R${order.id}${count}` });
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

test("the simulator uses the same path with every outcome", async () => {
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
    expect(
      (await simulatePayment(ctx, shop, { order_id: order.id, outcome: outcome as keyof typeof outcomes })).order.status,
      outcome,
    ).toBe(status);
  }
  expect(await codeOf(simulatePayment(ctx, { ...shop, livemode: true }, { order_id: "ord_x" }))).toBe("environment_mismatch");
  expect(await auditBooks(ctx)).toEqual([]);
});
