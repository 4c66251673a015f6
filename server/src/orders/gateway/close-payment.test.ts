import { describe, expect, test } from "vitest";
import { listExceptions } from "#reconciliation/exception/list-exceptions.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { type GatewayShop, gatewayShop, pollDue } from "#test/support/gateways/scripted/gateway-shop.ts";
import { payingGateway } from "#test/support/gateways/scripted/paying-gateway.ts";
import { bookFaults } from "#test/support/payments/receipt-shop.ts";
import { variantsOf } from "#test/support/run/short-form.ts";
import { cancelOrder } from "../order/cancel-order.ts";
import { expireDue } from "../order/expire-due.ts";
import { startPayment } from "../payment/start-payment.ts";
import { findGatewayPayment } from "../rows/gateway-payments.sql.ts";
import { findOrderRow } from "../rows/orders.sql.ts";
import { findSession } from "../rows/sessions.sql.ts";
import { simulatePayment } from "../settle/simulate-payment.ts";

const gateway = payingGateway();
const app = await testApp({ gateways: { adapters: [gateway.adapter] } });
const { ctx, clock } = app;
const minute = 60_000;

const open = async (): Promise<GatewayShop> => {
  const shop = await gatewayShop(app);
  await shop.account("tp_a");
  return shop;
};
type Started = Awaited<ReturnType<GatewayShop["started"]>>;
const orderOf = (shop: GatewayShop, { order }: Started) => findOrderRow(ctx.db, shop.tenant, order.id);
const paymentOf = (shop: GatewayShop, { session }: Started) => findGatewayPayment(ctx.db, shop.tenant, session.id);
/** The provider refuses to close the payment, as one that got some of the money does. */
const refuseToClose = ({ session }: Started) => gateway.fault("close", { kind: "already_paid", of: session.id });

/** What closes an open payment before the buyer or the merchant can continue. */
const closing = [
  {
    name: "another payment method",
    close: (shop: GatewayShop, order_id: string) => startPayment(ctx, shop.tenant, { order_id, gateway: "wechatpay" }),
  },
  { name: "canceling the order", close: (shop: GatewayShop, order_id: string) => cancelOrder(ctx, shop.tenant, { order_id }) },
];
const [byOther, byCancel] = [variantsOf(closing, 0), variantsOf(closing, 1)];

describe.each(closing)("a payment that its provider refuses to close, for $name", ({ close }) => {
  test("stays open while the provider doesn't report its end, and pays the order once it does", async () => {
    const shop = await open();
    const started = await shop.started();
    refuseToClose(started);
    await expect(close(shop, started.order.id)).rejects.toMatchObject({ code: "session_active" });
    expect([await orderOf(shop, started), await paymentOf(shop, started)]).toMatchObject([{ status: "unpaid" }, { status: "open" }]);
    gateway.pay(started.session.id);
    clock.advance(6 * minute);
    await pollDue(app);
    expect(await orderOf(shop, started)).toMatchObject({ status: "paid", flags: [], amount_received_minor: 9_900 });
    expect(await bookFaults(app)).toEqual([]);
  });

  test("stays open if the provider then doesn't know it", async () => {
    const shop = await open();
    const started = await shop.started();
    refuseToClose(started);
    gateway.fault("query", { kind: "not_found", of: started.session.id });
    await expect(close(shop, started.order.id)).rejects.toMatchObject({ code: "session_active" });
    expect(await paymentOf(shop, started)).toMatchObject({ status: "open" });
  });

  test("stays open if the provider says that it was paid, but not how much", async () => {
    const shop = await open();
    const started = await shop.started();
    refuseToClose(started);
    gateway.change(started.session.id, { state: "succeeded" });
    await expect(close(shop, started.order.id)).rejects.toMatchObject({ code: "session_active" });
    expect(await paymentOf(shop, started)).toMatchObject({ status: "open" });
  });

  test("is closed if the provider reports that it has ended", async () => {
    const shop = await open();
    const started = await shop.started();
    refuseToClose(started);
    gateway.change(started.session.id, { state: "expired" });
    await close(shop, started.order.id);
    expect(await paymentOf(shop, started)).toMatchObject({ status: "done" });
  });

  test("stays open however many try at once", async () => {
    const shop = await open();
    const started = await shop.started();
    for (let times = 0; times < 5; times += 1) refuseToClose(started);
    const tried = await Promise.allSettled(Array.from({ length: 5 }, () => close(shop, started.order.id)));
    expect(tried.map((one) => one.status === "rejected" && one.reason.code)).toEqual(tried.map(() => "session_active"));
    expect([await orderOf(shop, started), await paymentOf(shop, started)]).toMatchObject([{ status: "unpaid" }, { status: "open" }]);
  });
});

test("an expired payment that its provider refuses to close is polled until its end is known, and keeps its order open", async () => {
  const shop = await open();
  const started = await shop.started({ expires_in: 600 });
  clock.advance(601_000);
  for (let days = 0; days < 8; days += 1, clock.advance(24 * 60 * minute)) {
    refuseToClose(started);
    await pollDue(app);
    await expireDue(ctx);
    expect([await orderOf(shop, started), await paymentOf(shop, started)]).toMatchObject([{ status: "unpaid" }, { status: "open" }]);
  }
  gateway.pay(started.session.id, { state: "expired", paid: { amount_minor: 4_000, currency: "CNY" } });
  refuseToClose(started);
  await pollDue(app);
  expect(await orderOf(shop, started)).toMatchObject({ flags: ["underpaid"], amount_held_minor: 4_000 });
  expect(await bookFaults(app)).toEqual([]);
});

test("a payment whose order is paid in another way while its provider is asked about it is closed right away", async () => {
  const shop = await open();
  const started = await shop.started();
  gateway.meanwhile = async (verb, reference) => {
    if (verb !== "query" || reference !== started.session.id) return;
    gateway.meanwhile = null;
    await simulatePayment(ctx, shop.tenant, { order_id: started.order.id });
  };
  clock.advance(6 * minute);
  await pollDue(app);
  expect(await orderOf(shop, started)).toMatchObject({ status: "paid" });
  expect(gateway.payments.get(started.session.id)).toMatchObject({ state: "canceled" });
  expect(await paymentOf(shop, started)).toMatchObject({ status: "done" });
});

test("a payment that its provider doesn't close when its session has ended isn't asked about all the time", async () => {
  const shop = await open();
  const started = await shop.started();
  await simulatePayment(ctx, shop.tenant, { order_id: started.order.id });
  const closes = () => gateway.calls.filter(({ verb, reference }) => verb === "close" && reference === started.session.id).length;
  refuseToClose(started);
  await pollDue(app);
  expect([closes(), await paymentOf(shop, started)]).toMatchObject([1, { status: "open" }]);
  clock.advance(6 * minute);
  await pollDue(app);
  expect([closes(), await paymentOf(shop, started)]).toMatchObject([2, { status: "done" }]);
});

describe.each(byOther)("a payment that the buyer hasn't opened, and that its provider therefore can't close, for $name", ({ close }) => {
  test("doesn't block the buyer, and is polled until it ends, so that money without a callback isn't lost", async () => {
    const shop = await open();
    const started = await shop.started();
    gateway.unopened.add(started.session.id);
    await close(shop, started.order.id);
    expect(await findSession(ctx.db, shop.tenant, started.session.id)).toMatchObject({ status: "canceled" });
    expect(await paymentOf(shop, started)).toMatchObject({ status: "open" });
    await simulatePayment(ctx, shop.tenant, { order_id: started.order.id }).catch(() => null);
    clock.advance(2 * 60 * minute);
    await pollDue(app);
    gateway.pay(started.session.id);
    clock.advance(24 * 60 * minute);
    await pollDue(app);
    const { rows } = await listExceptions(ctx, shop.tenant, { limit: 9, filters: {} });
    expect(rows).toMatchObject([{ order_id: started.order.id, amount_minor: 9_900 }]);
    expect(await bookFaults(app)).toEqual([]);
  });

  test("is no longer asked about once its time is over", async () => {
    const shop = await open();
    const started = await shop.started({ expires_in: 7_200 });
    gateway.unopened.add(started.session.id);
    await close(shop, started.order.id);
    clock.advance(7_200_000);
    await pollDue(app);
    expect(await paymentOf(shop, started)).toMatchObject({ status: "done" });
  });
});

describe.each(byCancel)("a payment whose provider refuses the account's keys when it is closed, for $name", ({ close }) => {
  const refuseKeys = ({ session }: Started) => gateway.fault("close", { kind: "auth", of: session.id });

  test("doesn't stand in the way, and money that still arrives isn't lost once the keys are right again", async () => {
    const shop = await open();
    const started = await shop.started();
    refuseKeys(started);
    await close(shop, started.order.id);
    expect(await findSession(ctx.db, shop.tenant, started.session.id)).toMatchObject({ status: "canceled" });
    expect(await paymentOf(shop, started)).toMatchObject({ status: "open" });
    await simulatePayment(ctx, shop.tenant, { order_id: started.order.id }).catch(() => null);
    gateway.pay(started.session.id);
    clock.advance(6 * minute);
    await pollDue(app);
    const { rows } = await listExceptions(ctx, shop.tenant, { limit: 9, filters: {} });
    expect(rows).toMatchObject([{ order_id: started.order.id, amount_minor: 9_900 }]);
    expect(await bookFaults(app)).toEqual([]);
  });

  test("is told to a person if the keys stay wrong", async () => {
    const shop = await open();
    const started = await shop.started();
    refuseKeys(started);
    await close(shop, started.order.id);
    for (let days = 0; days < 5; days += 1) {
      refuseKeys(started);
      clock.advance(25 * 60 * minute);
      await pollDue(app);
    }
    const { rows } = await listExceptions(ctx, shop.tenant, { limit: 9, filters: {} });
    expect(rows).toMatchObject([{ order_id: started.order.id, detail: { reason: "outcome_unknown" } }]);
    expect(await paymentOf(shop, started)).toMatchObject({ status: "done" });
  });

  test("stays open if the provider said before that it got something for it", async () => {
    const shop = await open();
    const started = await shop.started();
    refuseToClose(started);
    gateway.fault("query", { kind: "auth", of: started.session.id });
    await expect(close(shop, started.order.id)).rejects.toMatchObject({ code: "session_active" });
    expect([await orderOf(shop, started), await paymentOf(shop, started)]).toMatchObject([{ status: "unpaid" }, { status: "open" }]);
  });
});

test("a payment that wasn't opened doesn't keep its order from expiring", async () => {
  const shop = await open();
  const started = await shop.started({ expires_in: 600 });
  gateway.unopened.add(started.session.id);
  clock.advance(601_000);
  await pollDue(app);
  await expireDue(ctx);
  expect(await orderOf(shop, started)).toMatchObject({ status: "expired" });
});
