import { beforeEach, describe, expect, test } from "vitest";
import { listWallets } from "#ledger/index.ts";
import { narrow, openDatabase } from "#platform/index.ts";
import { resolveException } from "#reconciliation/exception/resolve-exception.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { booksBalanceOf } from "#test/support/books/books-balance.ts";
import { applyReport, storeReport } from "#test/support/gateways/scripted/apply-report.ts";
import { payingGateway, type SentCallback } from "#test/support/gateways/scripted/paying-gateway.ts";
import { type RefundShop, refundShop } from "#test/support/gateways/scripted/refund-shop.ts";
import { settleModes } from "#test/support/payments/settle-money.ts";
import { cancelOrder } from "../order/cancel-order.ts";
import { startPayment } from "../payment/start-payment.ts";
import { listSessionRows } from "../rows/sessions.sql.ts";
import { simulatePayment } from "../settle/simulate-payment.ts";

const gateway = payingGateway();
const app = await testApp({ gateways: { adapters: [gateway.adapter] }, http: { perMinuteUnauthenticated: 100_000 } });
const { ctx } = app;
const yuan = (amount_minor: number) => ({ amount_minor, currency: "CNY" });

let shop: RefundShop;
let made = 0;
beforeEach(async () => {
  gateway.refundsBegin = {};
  shop = await refundShop(app, gateway);
});

type Started = Awaited<ReturnType<RefundShop["started"]>>;

const send = ({ headers, payload }: SentCallback) =>
  app.api().call("POST", `/api/payments/testpay/webhook/${shop.credential}`, { headers, payload });
/** The buyer paid, and got everything back, before anything was reported. */
const paidAndRefunded = async (change = {}): Promise<Started> => {
  const started = await shop.started();
  gateway.pay(started.session.id, { refunded: yuan(9_900), ...change });
  return started;
};
const sessionsOf = ({ order }: Started) => listSessionRows(ctx.db, shop.tenant, [order.id]);
const balance = async () => (await listWallets(ctx, shop.tenant, { limit: 9 }))?.data[0]?.balance_minor;
const booksBalance = booksBalanceOf(app);
const refundedCase = { status: "resolved", resolution: "refund", detail: { reason: "refunded" } };

describe("money that is first reported together with its full refund", () => {
  test("pays nothing: it is booked and refunded, its exception is closed, and the buyer can pay again", async () => {
    const started = await paidAndRefunded();
    const { order, session } = started;
    await shop.ask(session);
    expect(await shop.sums(order.id)).toMatchObject({ status: "unpaid", received: 0, refunded: 0, held: 0 });
    const [exception, ...others] = await shop.cases();
    expect([exception, others]).toMatchObject([{ ...refundedCase, kind: "mismatch", order_id: order.id, amount_minor: 9_900 }, []]);
    expect(await shop.refunds(order.id)).toMatchObject([
      { method: "gateway", status: "succeeded", amount_minor: 9_900, exception_id: exception?.id, payment_session_id: session.id },
    ]);
    expect(await shop.moved(order.id)).toEqual([-9_900]);
    expect(await balance()).toBe(0);
    expect(await sessionsOf(started)).toMatchObject([{ status: "failed", failure_code: "refunded" }]);
    const events = await shop.events(order.id);
    expect(events).not.toContain("order.paid");
    expect(events.filter((event) => event.startsWith("payment.exception"))).toHaveLength(2);
    expect(events.filter((event) => event === "refund.succeeded")).toHaveLength(1);
    await booksBalance();
    const again = await startPayment(ctx, shop.tenant, { order_id: order.id, gateway: "testpay" });
    gateway.pay(again.session.id);
    await shop.ask(again.session);
    expect(await shop.sums(order.id)).toMatchObject({ status: "paid", received: 9_900 });
    await booksBalance();
  });

  test("changes nothing when it is reported again", async () => {
    const { session } = await paidAndRefunded();
    await send(gateway.callback(session.id, { report: { kind: "ask", about: { reference: session.id, providerId: null } } }));
    const before = await shop.cases();
    const refunds = await shop.refunds(before[0]?.order_id ?? "");
    await shop.ask(session);
    await send(gateway.callback(session.id));
    expect([await shop.cases(), await shop.refunds(before[0]?.order_id ?? "")]).toEqual([before, refunds]);
  });

  test.each(settleModes)("has one effect if it is reported by two processes at once, %s", async (way) => {
    const { order, session } = await paidAndRefunded();
    const callback = await storeReport(ctx, { gateway, account: shop.credential, reference: session.id });
    const other = openDatabase({ url: app.url, max: 4, applicationName: "refunded-other" });
    const contexts = [narrow(ctx, {}, app.database), { ...narrow(ctx, {}, other), db: other.db }];
    await Promise.all([...contexts, ...contexts].map((on) => applyReport(on, { callback, way })));
    await other.close();
    expect(await shop.cases()).toMatchObject([refundedCase]);
    expect(await shop.refunds(order.id)).toHaveLength(1);
    expect(await shop.sums(order.id)).toMatchObject({ status: "unpaid", received: 0 });
    await booksBalance();
  });

  test.each<{ name: string; before: (orderId: string) => Promise<unknown>; status: string; kind: string }>([
    {
      name: "an expired order",
      before: (order_id) => simulatePayment(ctx, shop.tenant, { order_id, outcome: "expire" }),
      status: "expired",
      kind: "mismatch",
    },
    { name: "a canceled order", before: (order_id) => cancelOrder(ctx, shop.tenant, { order_id }), status: "canceled", kind: "late" },
    { name: "a paid order", before: (order_id) => simulatePayment(ctx, shop.tenant, { order_id }), status: "paid", kind: "duplicate" },
  ])("leaves nothing in suspense for $name", async ({ before, status, kind }) => {
    const { order, session } = await shop.started();
    await before(order.id);
    gateway.pay(session.id, { refunded: yuan(9_900) });
    await shop.ask(session);
    expect(await shop.sums(order.id)).toMatchObject({ status, refunded: 0 });
    expect(await shop.cases()).toMatchObject([{ kind, status: "resolved", resolution: "refund" }]);
    await booksBalance();
  });

  test("doesn't count as a part of the order's amount", async () => {
    const { order, session } = await paidAndRefunded({ paid: yuan(4_000), refunded: yuan(4_000) });
    await shop.ask(session);
    expect(await shop.sums(order.id)).toMatchObject({ status: "unpaid", received: 0, held: 0 });
    expect(await shop.cases()).toMatchObject([{ ...refundedCase, amount_minor: 4_000 }]);
    await booksBalance();
  });

  test("completes no part payment that arrived before, whose refund is shown to a person", async () => {
    const { order, session } = await shop.started();
    gateway.pay(session.id, { paid: yuan(4_000) });
    await shop.ask(session);
    gateway.change(session.id, { paid: yuan(9_900), refunded: yuan(9_900) });
    await shop.ask(session);
    expect(await shop.sums(order.id)).toMatchObject({ status: "unpaid", received: 0, held: 4_000 });
    expect((await shop.cases()).map(({ amount_minor, detail, status }) => [amount_minor, detail["reason"], status])).toEqual([
      [4_000, "refunded_elsewhere", "open"],
      [5_900, "refunded", "resolved"],
      [4_000, "short", "open"],
    ]);
    await booksBalance();
  });

  test("because the provider refunds what was paid while it was canceled lets the buyer choose another method", async () => {
    const started = await shop.started();
    gateway.fault("close", { kind: "already_paid" });
    gateway.meanwhile = (verb, reference) => {
      if (verb === "close" && reference === started.session.id) gateway.pay(reference, { refunded: yuan(9_900) });
    };
    await startPayment(ctx, shop.tenant, { order_id: started.order.id, gateway: "wechatpay" });
    gateway.meanwhile = null;
    expect(await shop.sums(started.order.id)).toMatchObject({ status: "unpaid" });
    expect(await sessionsOf(started)).toMatchObject([
      { gateway: "wechatpay", status: "pending" },
      { status: "failed", failure_code: "refunded" },
    ]);
    await booksBalance();
  });
});

test("a payment of which a part was refunded pays, and the refund is shown to a person", async () => {
  const { order, session } = await paidAndRefunded({ refunded: yuan(9_899) });
  await shop.ask(session);
  expect(await shop.sums(order.id)).toMatchObject({ status: "paid", received: 9_900 });
  expect(await shop.cases()).toMatchObject([{ status: "open", amount_minor: 9_899, detail: { reason: "refunded_elsewhere" } }]);
  await booksBalance();
});

describe("money whose provider first reports that some of it was refunded, but not how much", () => {
  const refundedThere = async () => {
    const started = await shop.started();
    gateway.pay(started.session.id, { wasRefunded: true, providerState: "REFUND" });
    await shop.ask(started.session);
    return started;
  };

  test("pays nothing: it waits for a person, who can accept it", async () => {
    const started = await refundedThere();
    expect(await shop.sums(started.order.id)).toMatchObject({ status: "unpaid", received: 0 });
    expect(await sessionsOf(started)).toMatchObject([{ status: "failed", failure_code: "refunded" }]);
    expect(await shop.events(started.order.id)).not.toContain("order.paid");
    const [exception] = await shop.cases();
    expect(exception).toMatchObject({ status: "open", kind: "mismatch", amount_minor: 9_900, detail: { reason: "refunded" } });
    await resolveException(ctx, shop.tenant, { exception_id: exception?.id ?? "", action: "accept" });
    expect(await shop.sums(started.order.id)).toMatchObject({ status: "paid", received: 9_900 });
    await booksBalance();
  });

  test("leaves the books again, and its case is closed, once the refund of all of it is reported", async () => {
    const { order, session } = await refundedThere();
    const id = gateway.refundAtProvider(session.id, { id: `rf_whole_${(made += 1)}`, amountMinor: 9_900 });
    await send(gateway.refundCallback(id));
    expect(await shop.cases()).toMatchObject([refundedCase]);
    expect(await shop.refunds(order.id)).toMatchObject([{ status: "succeeded", amount_minor: 9_900, gateway_refund_id: `re_${id}` }]);
    await send(gateway.refundCallback(id));
    expect(await shop.refunds(order.id)).toHaveLength(1);
    expect(await balance()).toBe(0);
    await booksBalance();
  });

  test("of which only a part was refunded stays with the person", async () => {
    const { session } = await refundedThere();
    const id = gateway.refundAtProvider(session.id, { id: `rf_part_${(made += 1)}`, amountMinor: 900 });
    await send(gateway.refundCallback(id));
    expect(await shop.cases()).toMatchObject([
      { status: "open", amount_minor: 900, detail: { reason: "refunded_elsewhere" } },
      { status: "open", amount_minor: 9_900, detail: { reason: "refunded" } },
    ]);
    await booksBalance();
  });

  test("changes nothing on an order that it paid before", async () => {
    const { order, session } = await shop.started();
    gateway.pay(session.id);
    await shop.ask(session);
    gateway.change(session.id, { wasRefunded: true, providerState: "REFUND" });
    await shop.ask(session);
    expect(await shop.sums(order.id)).toMatchObject({ status: "paid", received: 9_900 });
    expect(await shop.cases()).toEqual([]);
  });
});

describe("the refund of such money", () => {
  const refundAtProvider = (session: { id: string }, amountMinor: number) =>
    gateway.refundAtProvider(session.id, { id: `rf_early_${(made += 1)}`, amountMinor });

  test("is the one that a callback reports later, which then has its number, and may fail", async () => {
    const { order, session } = await paidAndRefunded();
    const id = refundAtProvider(session, 9_900);
    await shop.ask(session);
    await send(gateway.refundCallback(id));
    expect(await shop.refunds(order.id)).toMatchObject([{ status: "succeeded", gateway_refund_id: `re_${id}` }]);
    expect(await shop.cases()).toHaveLength(1);
    gateway.changeRefund(id, { state: "failed" });
    await send(gateway.refundCallback(id));
    expect(await shop.refunds(order.id)).toMatchObject([{ status: "failed" }]);
    expect(await shop.cases()).toMatchObject([{ status: "open", detail: { reason: "refunded" } }]);
    expect(await balance()).toBe(9_900);
    await booksBalance();
  });

  test("is known if its callback comes before anything is known of the payment", async () => {
    const { order, session } = await paidAndRefunded();
    const id = refundAtProvider(session, 9_900);
    await send(gateway.refundCallback(id));
    expect(await shop.refunds(order.id)).toMatchObject([{ status: "succeeded", gateway_refund_id: `re_${id}` }]);
    expect(await shop.cases()).toMatchObject([refundedCase]);
    await booksBalance();
  });

  test("may have been made in parts, which callbacks report later", async () => {
    const { order, session } = await paidAndRefunded();
    const ids = [refundAtProvider(session, 9_000), refundAtProvider(session, 900)];
    await shop.ask(session);
    for (const id of ids) await send(gateway.refundCallback(id));
    expect(await shop.refunds(order.id)).toMatchObject([{ status: "succeeded", amount_minor: 9_900 }]);
    await shop.ask(session);
    expect(await shop.cases()).toHaveLength(1);
    await booksBalance();
  });
});
