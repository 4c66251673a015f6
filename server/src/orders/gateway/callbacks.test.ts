import { describe, expect, test } from "vitest";
import { auditLedger, listTransactions } from "#ledger/index.ts";
import { listExceptions } from "#reconciliation/exception/list-exceptions.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { type GatewayShop, keyedShops, pollDue } from "#test/support/gateways/scripted/gateway-shop.ts";
import { type PaidThere, payingGateway } from "#test/support/gateways/scripted/paying-gateway.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { auditBooks } from "../audit-books.ts";
import { cancelOrder } from "../order/cancel-order.ts";
import { expireDue } from "../order/expire-due.ts";
import { startPayment } from "../payment/start-payment.ts";
import { findGatewayPayment } from "../rows/gateway-payments.sql.ts";
import { findOrderRow } from "../rows/orders.sql.ts";
import { findSession } from "../rows/sessions.sql.ts";
import { simulatePayment } from "../settle/simulate-payment.ts";
import { createCallbackApplier } from "./receive-callback.ts";

const gateway = payingGateway();
const app = await testApp({ gateways: { adapters: [gateway.adapter] }, http: { perMinuteUnauthenticated: 100_000 } });
const { ctx } = app;

const { open, send } = keyedShops(app);
/** The buyer pays, and the provider reports it. */
const payThere = (shop: { credential: string }, reference: string, change: Partial<PaidThere> = {}) => {
  gateway.pay(reference, change);
  return send(shop.credential, gateway.callback(reference));
};
const askAbout = (reference: string) => ({ report: { kind: "ask" as const, about: { reference, providerId: null } } });
const orderOf = (shop: GatewayShop, id: string) => findOrderRow(ctx.db, shop.tenant, id);
const paymentOf = (shop: GatewayShop, id: string) => findGatewayPayment(ctx.db, shop.tenant, id);
const exceptionsOf = async (shop: GatewayShop) => (await listExceptions(ctx, shop.tenant, { limit: 20, filters: {} })).rows;
const transfersOf = async (shop: GatewayShop) => (await listTransactions(ctx, shop.tenant, { limit: 20 }))?.data ?? [];

describe("a genuine callback", () => {
  test("pays the order, and is acknowledged in the provider's own words", async () => {
    const shop = await open();
    const { order, session } = await shop.started();
    gateway.pay(session.id);
    const before = gateway.countOf("query");
    expect(await send(shop.credential, gateway.callback(session.id))).toMatchObject({ status: 200, text: "OK" });
    expect(await orderOf(shop, order.id)).toMatchObject({ status: "paid", amount_received_minor: 9900, flags: [] });
    expect(await findSession(ctx.db, shop.tenant, session.id)).toMatchObject({ status: "succeeded" });
    expect(await paymentOf(shop, session.id)).toMatchObject({ status: "done", settled_id: `cap_${session.id}`, paid_minor: 9900 });
    expect(gateway.countOf("query"), "told in full, it is not asked about").toBe(before);
  });

  test("that arrived a hundred times concurrently has one effect", async () => {
    const shop = await open();
    const { order, session } = await shop.started();
    gateway.pay(session.id);
    const callback = gateway.callback(session.id);
    const answers = await Promise.all(Array.from({ length: 100 }, () => send(shop.credential, callback)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const isPaid = async () => (await orderOf(shop, order.id))?.status === "paid";
    await eventually("the order is paid, for which answers wait a moment only", isPaid);
    expect(await transfersOf(shop)).toHaveLength(1);
  });

  test("repeated under another id, and by another of the payment's numbers, changes nothing", async () => {
    const shop = await open();
    const { order, session } = await shop.started();
    await payThere(shop, session.id);
    gateway.change(session.id, { captureId: null });
    await send(shop.credential, gateway.callback(session.id));
    gateway.change(session.id, { captureId: "cap_other" });
    await send(shop.credential, gateway.callback(session.id, askAbout(session.id)));
    expect(await orderOf(shop, order.id)).toMatchObject({ status: "paid", flags: [] });
    expect(await transfersOf(shop)).toHaveLength(1);
    expect(await exceptionsOf(shop)).toEqual([]);
  });

  test("that only says that something changed causes a query to the provider", async () => {
    const shop = await open();
    const { order, session } = await shop.started();
    gateway.pay(session.id);
    expect(await send(shop.credential, gateway.callback(session.id, askAbout(session.id)))).toMatchObject({ status: 200 });
    expect(await orderOf(shop, order.id)).toMatchObject({ status: "paid" });
  });

  test("at the URL that all accounts share finds its account by its content", async () => {
    const shop = await open();
    const { order, session } = await shop.started();
    gateway.pay(session.id);
    expect(await send(null, gateway.callback(session.id))).toMatchObject({ status: 200 });
    expect(await orderOf(shop, order.id)).toMatchObject({ status: "paid" });
  });

  test("of a payment in progress is shown, and keeps the order from expiring until the provider ends it", async () => {
    const shop = await open();
    const { order, session } = await shop.started({ expires_in: 600 });
    gateway.change(session.id, { state: "processing" });
    await send(shop.credential, gateway.callback(session.id));
    expect(await findSession(ctx.db, shop.tenant, session.id)).toMatchObject({ status: "processing" });
    app.clock.advance(700_000);
    await expireDue(ctx);
    expect(await orderOf(shop, order.id)).toMatchObject({ status: "unpaid" });
    gateway.change(session.id, { state: "failed", failure: { code: "insufficient_funds", message: "No money." } });
    await send(shop.credential, gateway.callback(session.id));
    expect(await findSession(ctx.db, shop.tenant, session.id)).toMatchObject({ status: "failed", failure_code: "insufficient_funds" });
    await expireDue(ctx);
    expect(await orderOf(shop, order.id)).toMatchObject({ status: "expired" });
  });

  test("of a declined attempt only fails its session: the order can still be paid, and the reason isn't public", async () => {
    const shop = await open();
    const { order, session, token } = await shop.started();
    gateway.change(session.id, { state: "failed", failure: { code: "possible_fraud", message: "No." } });
    await send(shop.credential, gateway.callback(session.id));
    expect(await orderOf(shop, order.id)).toMatchObject({ status: "unpaid" });
    const { text, body } = await app.api().get(`/api/public/pay/${token}`);
    expect([body.session.status, text]).toEqual(["failed", expect.not.stringContaining("possible_fraud")]);
    const again = await startPayment(ctx, shop.tenant, { order_id: order.id, gateway: "testpay" });
    await payThere(shop, again.session.id);
    expect(await orderOf(shop, order.id)).toMatchObject({ status: "paid" });
  });
});

describe("money other than requested", () => {
  test("that is too little is held and can be topped up", async () => {
    const shop = await open();
    const { order, session } = await shop.started();
    await payThere(shop, session.id, { paid: { amount_minor: 9000, currency: "CNY" } });
    expect(await orderOf(shop, order.id)).toMatchObject({ status: "unpaid", flags: ["underpaid"], amount_held_minor: 9000 });
    const rest = await startPayment(ctx, shop.tenant, { order_id: order.id, gateway: "testpay" });
    expect(rest.session.amount_minor).toBe(900);
    await payThere(shop, rest.session.id);
    expect(await orderOf(shop, order.id)).toMatchObject({ status: "paid", amount_received_minor: 9900, flags: [] });
  });

  test("that is a part of it on an ended payment is held, and so is what arrives on it later", async () => {
    const shop = await open();
    const { order, session } = await shop.started();
    const sendIt = () => send(shop.credential, gateway.callback(session.id, askAbout(session.id)));
    gateway.pay(session.id, { state: "expired", captureId: null, paid: { amount_minor: 4000, currency: "CNY" } });
    for (let times = 0; times < 2; times += 1) await sendIt();
    expect(await orderOf(shop, order.id)).toMatchObject({ status: "unpaid", flags: ["underpaid"], amount_held_minor: 4000 });
    gateway.pay(session.id, { state: "expired", captureId: null, paid: { amount_minor: 9900, currency: "CNY" } });
    for (let times = 0; times < 2; times += 1) await sendIt();
    expect(await orderOf(shop, order.id)).toMatchObject({ status: "paid", amount_received_minor: 9900, amount_held_minor: 0, flags: [] });
    expect(await exceptionsOf(shop)).toMatchObject([{ kind: "underpaid", status: "resolved" }]);
  });

  test("that is too much pays, and the excess is held", async () => {
    const shop = await open();
    const { order, session } = await shop.started();
    await payThere(shop, session.id, { paid: { amount_minor: 10_000, currency: "CNY" } });
    expect(await orderOf(shop, order.id)).toMatchObject({ status: "paid", flags: ["overpaid"], amount_held_minor: 100 });
  });

  test("in another currency pays nothing: it is held for a person", async () => {
    const shop = await open();
    const { order, session } = await shop.started();
    await payThere(shop, session.id, { paid: { amount_minor: 9900, currency: "EUR" } });
    expect(await orderOf(shop, order.id)).toMatchObject({ status: "unpaid", amount_received_minor: 0 });
    expect(await findSession(ctx.db, shop.tenant, session.id)).toMatchObject({ status: "failed", failure_code: "mismatch" });
    expect(await exceptionsOf(shop)).toMatchObject([{ kind: "mismatch", currency: "EUR", detail: { reason: "currency" } }]);
  });

  test.each([
    { name: "another account", change: { account: "tp_somebody" }, reason: "account" },
    { name: "the LIVE environment", change: { livemode: true }, reason: "mode" },
    { name: "another payment", change: { reference: "ps_00000000000000000000000000" }, reason: "reference" },
  ])("$name's is in no books, and a person is notified once", async ({ change, reason }) => {
    const shop = await open();
    const { order, session } = await shop.started();
    gateway.pay(session.id, change);
    for (let times = 0; times < 3; times += 1)
      expect(await send(shop.credential, gateway.callback(session.id, askAbout(session.id)))).toMatchObject({ status: 200 });
    expect(await orderOf(shop, order.id)).toMatchObject({ status: "unpaid", amount_received_minor: 0 });
    expect(await exceptionsOf(shop)).toMatchObject([{ kind: "mismatch", transaction_id: null, detail: { reason } }]);
    expect(await transfersOf(shop)).toEqual([]);
  });

  test("reported by a TEST account's callback about a LIVE order changes nothing there", async () => {
    const live = await open({ livemode: true });
    const sandbox = await open();
    const { order, session } = await live.started();
    const report = { kind: "payment", payment: gateway.pay(session.id) } as const;
    const stolen = gateway.callback(session.id, { secret: `secret of ${sandbox.key}`, report });
    const before = await orderOf(live, order.id);
    expect(await send(sandbox.credential, stolen)).toMatchObject({ status: 200 });
    expect(await send(live.credential, stolen)).toMatchObject({ status: 401 });
    expect(await orderOf(live, order.id)).toEqual(before);
    expect(await exceptionsOf(sandbox)).toEqual([]);
  });

  test("with a reference of ours that no payment here has waits for a person; another program's payments aren't ours", async () => {
    const shop = await open();
    const { session } = await shop.started();
    const lost = `ps_${session.id.slice(3).split("").toReversed().join("")}`;
    for (const reference of [lost, "their-own-reference"]) {
      gateway.payments.set(reference, { ...(gateway.payments.get(session.id) as PaidThere), reference, providerId: `pay_${reference}` });
      gateway.pay(reference);
      expect(await send(shop.credential, gateway.callback(reference))).toMatchObject({ status: 200 });
    }
    expect(await exceptionsOf(shop)).toMatchObject([{ kind: "unmatched", order_id: null, external_id: `cap_${lost}` }]);
  });
});

describe("late money", () => {
  test("after the order expired pays it, and the order says so", async () => {
    const shop = await open();
    const { order, session } = await shop.started({ expires_in: 600 });
    app.clock.advance(700_000);
    gateway.fault("close", { kind: "not_found" });
    await pollDue(app);
    await expireDue(ctx);
    expect(await orderOf(shop, order.id)).toMatchObject({ status: "expired" });
    await payThere(shop, session.id);
    expect(await orderOf(shop, order.id)).toMatchObject({ status: "paid", flags: ["paid_late"] });
    expect(await findSession(ctx.db, shop.tenant, session.id)).toMatchObject({ status: "succeeded" });
  });

  test("after the order was canceled waits for a person", async () => {
    const shop = await open();
    const { order, session } = await shop.started();
    await cancelOrder(ctx, shop.tenant, { order_id: order.id });
    await payThere(shop, session.id);
    expect(await orderOf(shop, order.id)).toMatchObject({ status: "canceled" });
    expect(await exceptionsOf(shop)).toMatchObject([{ kind: "late", order_id: order.id, amount_minor: 9900 }]);
  });

  test("through the method that the buyer left still pays the order", async () => {
    const shop = await open();
    const { order, session } = await shop.started();
    await startPayment(ctx, shop.tenant, { order_id: order.id, gateway: "wechatpay" });
    await payThere(shop, session.id);
    expect(await orderOf(shop, order.id)).toMatchObject({ status: "paid" });
  });

  test("a second time, through another payment, is a duplicate", async () => {
    const shop = await open();
    const { order, session } = await shop.started();
    await startPayment(ctx, shop.tenant, { order_id: order.id, gateway: "wechatpay" });
    await simulatePayment(ctx, shop.tenant, { order_id: order.id });
    await payThere(shop, session.id);
    expect(await orderOf(shop, order.id)).toMatchObject({ status: "paid", amount_received_minor: 9900, flags: ["duplicate_payment"] });
    expect(await exceptionsOf(shop)).toMatchObject([{ kind: "duplicate", order_id: order.id }]);
  });
});

test("what a provider withholds is booked as a fee if it is in the payment's currency", async () => {
  const shop = await open();
  const { session } = await shop.started();
  await payThere(shop, session.id, { fee: { amount_minor: 60, currency: "CNY" } });
  const foreign = await shop.started();
  await payThere(shop, foreign.session.id, { fee: { amount_minor: 8, currency: "EUR" } });
  expect((await transfersOf(shop)).map(({ type, amount_minor }) => [type, amount_minor])).toEqual([
    ["payment", 9900],
    ["fee", -60],
    ["payment", 9900],
  ]);
  expect(await paymentOf(shop, foreign.session.id)).toMatchObject({ fee_minor: 8, fee_currency: "EUR" });
});

test("a callback that was stored but not applied is applied by a worker", async () => {
  const shop = await open();
  const { order, session } = await shop.started();
  gateway.pay(session.id);
  gateway.fault("query", { kind: "unavailable" });
  expect(await send(shop.credential, gateway.callback(session.id, askAbout(session.id)))).toMatchObject({ status: 200 });
  expect(await orderOf(shop, order.id)).toMatchObject({ status: "unpaid" });
  app.clock.advance(21_000);
  const applier = createCallbackApplier();
  expect(await applier.run(ctx)).toBe(1);
  await applier.idle();
  await applier.finish(ctx);
  expect(await orderOf(shop, order.id)).toMatchObject({ status: "paid" });
});

test("after all of these tests the books agree", async () => {
  expect(await auditBooks(ctx)).toEqual([]);
  expect((await auditLedger(ctx)).faults).toEqual([]);
});
