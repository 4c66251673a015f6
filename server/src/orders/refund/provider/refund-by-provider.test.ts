import { beforeEach, describe, expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { booksBalanceOf } from "#test/support/books/books-balance.ts";
import { disputeOf } from "#test/support/gateways/scripted/gateway-deeds.ts";
import { pollDueRefunds } from "#test/support/gateways/scripted/gateway-shop.ts";
import { payingGateway } from "#test/support/gateways/scripted/paying-gateway.ts";
import { type RefundShop, refundShop } from "#test/support/gateways/scripted/refund-shop.ts";
import { listNotices } from "#test/support/mail/notices.sql.ts";
import { simulatePayment } from "../../settle/simulate-payment.ts";
import { failRefund } from "../fail-refund.ts";
import { type RefundInput, refundOrder } from "../refund-order.ts";

const gateway = payingGateway({ refundDays: 180 });
const app = await testApp({ gateways: { adapters: [gateway.adapter] } });
const { ctx, clock } = app;
const minute = 60_000;

let shop: RefundShop;
beforeEach(async () => {
  gateway.refundsBegin = {};
  shop = await refundShop(app, gateway);
});

const refund = (order_id: string, input: Partial<RefundInput> = {}) => refundOrder(ctx, shop.tenant, { order_id, ...input });
const refused = (attempt: Promise<unknown>) =>
  attempt.then(() => null).catch((error) => ({ code: error.code, fields: error.extras?.fields }));
const callsOf = (refundId: string) => gateway.calls.filter(({ verb, reference }) => verb === "refund" && reference === refundId).length;
const booksBalance = booksBalanceOf(app);

describe("a refund of a payment through a provider", () => {
  test("is made by the provider under our reference, and its money leaves the wallet once the provider says so", async () => {
    const { order, session } = await shop.paid();
    const made = await refund(order.id, { amount_minor: 2_300, reason: "requested_by_customer", note: "too small" });
    expect(made).toMatchObject({
      ...{ method: "gateway", status: "succeeded", amount_minor: 2_300, gateway: "testpay", payment_session_id: session.id },
      ...{ gateway_refund_id: `re_${made.id.slice(3)}`, channel: null, reason: "requested_by_customer", note: "too small" },
    });
    expect(gateway.refunds.get(made.id)?.wanted).toMatchObject({
      ...{ reference: session.id, captureId: `cap_${session.id}`, reason: null, merchantReason: "requested_by_customer" },
      amount: { amount_minor: 2_300, currency: "CNY" },
      total: { amount_minor: 9_900, currency: "CNY" },
      notifyUrl: `${ctx.publicUrl}/api/payments/testpay/webhook/${shop.credential}`,
    });
    expect(await shop.sums(order.id)).toMatchObject({ status: "paid", refunded: 2_300, refunding: 0 });
    expect(await shop.moved(order.id)).toEqual([-2_300]);
    expect((await shop.events(order.id)).slice(-2).sort()).toEqual(["refund.succeeded", "transaction.completed"]);
    await booksBalance();
  });

  test("counts while it is in progress at the provider, and books nothing yet", async () => {
    gateway.refundsBegin = { state: "pending" };
    const { order } = await shop.paid();
    const made = await refund(order.id, { amount_minor: 9_000 });
    expect(made).toMatchObject({ status: "pending", transaction_id: null, gateway_refund_id: `re_${made.id.slice(3)}` });
    expect(await shop.sums(order.id)).toMatchObject({ refunded: 0, refunding: 9_000 });
    expect(await shop.moved(order.id)).toEqual([]);
    expect(await refused(refund(order.id, { amount_minor: 901 }))).toMatchObject({
      code: "refund_exceeds_received",
      fields: { refundable_minor: 900 },
    });
    gateway.changeRefund(made.id, { state: "succeeded" });
    clock.advance(5 * minute);
    await pollDueRefunds(app);
    expect(await shop.sums(order.id)).toMatchObject({ refunded: 9_000, refunding: 0 });
    await booksBalance();
  });

  test("that the buyer must claim says where, and ends once they did", async () => {
    gateway.refundsBegin = { state: "requires_action", claimUrl: "https://btc.example/pull-payments/1" };
    const { order } = await shop.paid();
    const made = await refund(order.id);
    expect(made).toMatchObject({
      status: "requires_action",
      next_action: { type: "redirect", url: "https://btc.example/pull-payments/1" },
    });
    gateway.changeRefund(made.id, { state: "pending", claimUrl: null });
    clock.advance(5 * minute);
    await pollDueRefunds(app);
    expect(await shop.refunds(order.id)).toMatchObject([{ status: "pending", next_action: null }]);
    gateway.changeRefund(made.id, { state: "succeeded" });
    clock.advance(60 * minute);
    await pollDueRefunds(app);
    expect(await shop.refunds(order.id)).toMatchObject([{ status: "succeeded", next_action: null }]);
    await booksBalance();
  });

  test("of which the provider pays out less is booked as what it paid out", async () => {
    gateway.refundsBegin = { amount: { amount_minor: 700, currency: "CNY" } };
    const { order } = await shop.paid();
    expect(await refund(order.id, { amount_minor: 900 })).toMatchObject({ status: "succeeded", amount_minor: 700 });
    expect(await shop.sums(order.id)).toMatchObject({ refunded: 700, refunding: 0 });
    await booksBalance();
  });

  test("can be made manually and recorded, if a person says so", async () => {
    const { order } = await shop.paid();
    const before = gateway.countOf("refund");
    const made = await refund(order.id, { method: "manual", amount_minor: 900, channel: "bank_transfer", external_transaction_id: "B-7" });
    expect(made).toMatchObject({ method: "manual", status: "succeeded", channel: "bank_transfer" });
    expect(gateway.countOf("refund")).toBe(before);
    expect((await refund(order.id)).amount_minor).toBe(9_000);
    await booksBalance();
  });
});

describe("a refund that the provider refuses", () => {
  test("is failed and reported so, and can be made again", async () => {
    const { order } = await shop.paid();
    gateway.fault("refund", { kind: "declined", code: "insufficient_balance" });
    const answer = await refused(refund(order.id, { amount_minor: 900 }));
    expect(answer).toMatchObject({ code: "gateway_error", fields: { gateway_code: "insufficient_balance" } });
    expect(await shop.refunds(order.id)).toMatchObject([{ status: "failed", failure_code: "insufficient_balance", transaction_id: null }]);
    expect(await shop.sums(order.id)).toMatchObject({ refunded: 0, refunding: 0 });
    expect((await shop.events(order.id)).at(-1)).toBe("refund.failed");
    expect((await refund(order.id)).status).toBe("succeeded");
    await booksBalance();
  });

  test.each(["declined", "invalid", "auth", "not_found"] as const)("with %s took nothing up", async (kind) => {
    const { order } = await shop.paid();
    gateway.fault("refund", { kind, code: "no" });
    expect(await refused(refund(order.id))).toMatchObject({ code: "gateway_error" });
    expect(await shop.sums(order.id)).toMatchObject({ refunding: 0 });
  });
});

describe("a refund that the provider may or may not have", () => {
  test("because its response was lost is found by a query, and never requested under another reference", async () => {
    const { order } = await shop.paid();
    gateway.fault("refund", { kind: "unknown_outcome", after: true });
    const made = await refund(order.id, { amount_minor: 900 });
    expect(made.status).toBe("unknown");
    expect(await shop.sums(order.id)).toMatchObject({ refunded: 0, refunding: 900 });
    const callCount = callsOf(made.id);
    clock.advance(5 * minute);
    await pollDueRefunds(app);
    expect(await shop.refunds(order.id)).toMatchObject([{ id: made.id, status: "succeeded" }]);
    expect(callsOf(made.id), "it was only asked about").toBe(callCount);
    await booksBalance();
  });

  test("because the query was lost is requested again under its reference", async () => {
    const { order } = await shop.paid();
    gateway.fault("refund", { kind: "unknown_outcome" });
    const made = await refund(order.id);
    expect(made.status).toBe("unknown");
    clock.advance(5 * minute);
    await pollDueRefunds(app);
    expect(await shop.refunds(order.id)).toMatchObject([{ id: made.id, status: "succeeded" }]);
    await booksBalance();
  });

  test.each(["unavailable", "rate_limited"] as const)("because it was %s waits, and is requested once it can be", async (kind) => {
    const { order } = await shop.paid();
    gateway.fault("refund", { kind });
    const made = await refund(order.id);
    expect(made).toMatchObject({ status: "pending", gateway_refund_id: null });
    clock.advance(5 * minute);
    await pollDueRefunds(app);
    expect(await shop.refunds(order.id)).toMatchObject([{ id: made.id, status: "succeeded" }]);
  });

  test("and that it then refuses is failed, and people who may refund are notified", async () => {
    const { order } = await shop.paid();
    gateway.fault("refund", { kind: "unknown_outcome" }, { kind: "declined", code: "too_late" });
    const made = await refund(order.id);
    clock.advance(5 * minute);
    await pollDueRefunds(app);
    expect(await shop.refunds(order.id)).toMatchObject([{ id: made.id, status: "failed", failure_code: "too_late" }]);
    expect(await shop.sums(order.id)).toMatchObject({ refunding: 0 });
    const notices = await listNotices(ctx.db, "refund_failed");
    expect(notices.filter(({ recipient }) => recipient === shop.tenant.project_id)).toHaveLength(1);
  });
});

describe("never more is refunded than was received", () => {
  test("of ten concurrent refunds, the provider gets one request for each that there is money for", async () => {
    const { order } = await shop.paid({ amount_minor: 4_000 });
    const before = gateway.calls.length;
    const results = await Promise.all(Array.from({ length: 10 }, () => refused(refund(order.id, { amount_minor: 450 }))));
    expect(results.filter((one) => one === null)).toHaveLength(8);
    expect(new Set(results.filter((one) => one !== null).map(({ code }) => code))).toEqual(new Set(["refund_exceeds_received"]));
    const refundCalls = gateway.calls.slice(before).filter(({ verb }) => verb === "refund");
    expect(refundCalls).toHaveLength(8);
    expect(new Set(refundCalls.map(({ reference }) => reference)).size).toBe(8);
    expect(await shop.sums(order.id)).toMatchObject({ received: 4_000, refunded: 3_600, refunding: 0 });
    await booksBalance();
  });

  test("while the payment is being settled, a refund finds it or is too early", async () => {
    const started = await Promise.all(Array.from({ length: 6 }, () => shop.started()));
    const results = await Promise.all(
      started.map(async ({ order, session }) => {
        gateway.pay(session.id);
        const [, result] = await Promise.all([shop.ask(session), refused(refund(order.id))]);
        return { order, result };
      }),
    );
    for (const { order, result } of results) {
      const { received, refunded } = await shop.sums(order.id);
      expect(received).toBe(9_900);
      if (result === null) expect(refunded).toBe(9_900);
      else expect([result.code, refunded]).toEqual(["order_state_conflict", 0]);
    }
    await booksBalance();
  });

  test("while a dispute opens, a refund is requested before it or not at all", async () => {
    const { order, session } = await shop.paid();
    const before = gateway.countOf("refund");
    const part = { amount_minor: 5_000, currency: "CNY" };
    const { headers, payload } = gateway.callback(session.id, {
      report: { kind: "dispute", dispute: disputeOf(session.id, { at: 1, amount: part }) },
    });
    const dispute = () => app.api().call("POST", `/api/payments/testpay/webhook/${shop.credential}`, { headers, payload });
    await Promise.all([dispute(), refused(refund(order.id, { amount_minor: 900 }))]);
    const made = (await shop.refunds(order.id)).filter(({ status }) => status === "succeeded");
    expect(gateway.countOf("refund") - before).toBe(made.length);
    expect(await refused(refund(order.id, { amount_minor: 100 }))).toMatchObject({ code: "order_state_conflict" });
    expect(await refund(order.id, { amount_minor: 100, method: "manual" })).toMatchObject({ status: "succeeded" });
    await booksBalance();
  });
});

describe("a refund through a provider is refused, and the provider gets no request", () => {
  const paid = async () => (await shop.paid()).order.id;
  const simulated = async () => {
    const { order } = await shop.order({});
    await simulatePayment(ctx, shop.tenant, { order_id: order.id });
    return order.id;
  };

  test.each<{ name: string; prepare: () => Promise<string>; input?: Partial<RefundInput>; code: string }>([
    { name: "of more than was received", prepare: paid, input: { amount_minor: 9_901 }, code: "refund_exceeds_received" },
    {
      name: "of an order that nobody paid",
      prepare: async () => (await shop.started()).order.id,
      input: { method: "gateway" },
      code: "order_state_conflict",
    },
    { name: "of an order that is none", prepare: async () => "ord_none", input: { method: "gateway" }, code: "resource_missing" },
    { name: "of money on a personal code", prepare: simulated, input: { method: "gateway" }, code: "parameter_conflict" },
    { name: "of another order's payment", prepare: paid, input: { payment_session_id: "ps_none" }, code: "parameter_invalid" },
    { name: "that says how somebody paid it back", prepare: paid, input: { channel: "cash" }, code: "parameter_conflict" },
    {
      name: "with a number of a transfer",
      prepare: paid,
      input: { method: "gateway", external_transaction_id: "7" },
      code: "parameter_conflict",
    },
    { name: "with a card's number", prepare: paid, input: { note: "4111 1111 1111 1111" }, code: "card_number_refused" },
  ])("$name", async ({ prepare, input, code }) => {
    const id = await prepare();
    const before = gateway.countOf("refund");
    expect(await refused(refund(id, input))).toMatchObject({ code });
    expect(gateway.countOf("refund")).toBe(before);
    if (id !== "ord_none") expect(await shop.refunds(id)).toEqual([]);
  });

  test("once the provider no longer refunds the payment", async () => {
    const { order } = await shop.paid();
    clock.advance(181 * 24 * 60 * minute);
    const answer = await refused(refund(order.id));
    expect(answer).toMatchObject({ code: "order_state_conflict", fields: { refundable_until: expect.any(String) } });
    expect(await refund(order.id, { method: "manual" })).toMatchObject({ status: "succeeded" });
  });
});

test.each(["succeeded", "pending"] as const)("no one marks a refund that a provider makes as failed, if it is %s", async (state) => {
  gateway.refundsBegin = { state };
  const { order } = await shop.paid();
  const made = await refund(order.id);
  expect(await refused(failRefund(ctx, shop.tenant, { refund_id: made.id, failure_code: "returned" }))).toMatchObject({
    code: "order_state_conflict",
  });
  expect(await shop.refunds(order.id)).toMatchObject([{ status: state }]);
});
