import { expect, test } from "vitest";
import { changeCredential, findCredential, removeCredential } from "#gateways/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { type GatewayShop, gatewayShop, pollDue } from "#test/support/gateways/scripted/gateway-shop.ts";
import { payingGateway } from "#test/support/gateways/scripted/paying-gateway.ts";
import { cancelOrder } from "../order/cancel-order.ts";
import { startPayment } from "../payment/start-payment.ts";
import { findOrderRow } from "../rows/orders.sql.ts";
import { findSession } from "../rows/sessions.sql.ts";
import { simulatePayment } from "../settle/simulate-payment.ts";

/** A provider that waits to be asked for what the buyer approved, and that cannot close payments. */
const gateway = payingGateway({ captures: true, closes: false });
const app = await testApp({ gateways: { adapters: [gateway.adapter] } });
const { ctx } = app;

const open = async (): Promise<GatewayShop & { credential: string }> => {
  const shop = await gatewayShop(app);
  return { ...shop, credential: await shop.account("tp_a") };
};
const sendCallback = (credential: string, reference: string, given: Parameters<typeof gateway.callback>[1] = {}) => {
  const { headers, payload } = gateway.callback(reference, given);
  return app.api().call("POST", `/api/payments/testpay/webhook/${credential}`, { headers, payload });
};
const orderOf = (shop: GatewayShop, id: string) => findOrderRow(ctx.db, shop.tenant, id);
const takes = (reference: string) => gateway.calls.filter((call) => call.verb === "capture" && call.reference === reference).length;

test("what the buyer approved is captured, and pays the order", async () => {
  const shop = await open();
  const { order, session } = await shop.started();
  gateway.change(session.id, { state: "processing" });
  expect(await sendCallback(shop.credential, session.id)).toMatchObject({ status: 200 });
  expect(takes(session.id)).toBe(1);
  expect(await orderOf(shop, order.id)).toMatchObject({ status: "paid", amount_received_minor: 9900 });
});

test("whose capture got no response is queried, and booked once", async () => {
  const shop = await open();
  const { order, session } = await shop.started();
  gateway.change(session.id, { state: "processing" });
  gateway.fault("capture", { kind: "unknown_outcome", after: true });
  await sendCallback(shop.credential, session.id);
  expect(await orderOf(shop, order.id)).toMatchObject({ status: "unpaid" });
  app.clock.advance(301_000);
  await pollDue(app);
  expect(await orderOf(shop, order.id)).toMatchObject({ status: "paid", amount_received_minor: 9900, flags: [] });
});

test("and the provider refuses the capture, the buyer can try again", async () => {
  const shop = await open();
  const { order, session } = await shop.started();
  gateway.change(session.id, { state: "processing" });
  gateway.fault("capture", { kind: "declined" });
  await sendCallback(shop.credential, session.id);
  expect(await findSession(ctx.db, shop.tenant, session.id)).toMatchObject({ status: "processing" });
  gateway.change(session.id, { state: "pending" });
  await sendCallback(shop.credential, session.id);
  expect(await findSession(ctx.db, shop.tenant, session.id)).toMatchObject({ status: "pending" });
  expect(await orderOf(shop, order.id)).toMatchObject({ status: "unpaid" });
});

test.each([
  {
    name: "an order that was canceled",
    before: (shop: GatewayShop, order_id: string) => cancelOrder(ctx, shop.tenant, { order_id }),
    change: {},
  },
  {
    name: "an order that was paid in another way",
    before: (shop: GatewayShop, order_id: string) => simulatePayment(ctx, shop.tenant, { order_id }),
    change: {},
  },
  {
    name: "a buyer who chose another way",
    before: (shop: GatewayShop, order_id: string) => startPayment(ctx, shop.tenant, { order_id, gateway: "wechatpay" }),
    change: {},
  },
  { name: "another amount than was asked", before: async () => {}, change: { asked: { amount_minor: 99, currency: "CNY" } } },
  { name: "another account", before: async () => {}, change: { account: "tp_other" } },
])("nothing is captured of $name", async ({ before, change }) => {
  const shop = await open();
  const { order, session } = await shop.started();
  await before(shop, order.id);
  gateway.change(session.id, { state: "processing", ...change });
  await sendCallback(shop.credential, session.id);
  app.clock.advance(301_000);
  await pollDue(app);
  expect(takes(session.id)).toBe(0);
  expect(gateway.payments.get(session.id)).toMatchObject({ state: "processing" });
});

test("a payment in progress prevents the buyer from using another method, and the order from being canceled", async () => {
  const shop = await open();
  const { order, session } = await shop.started();
  gateway.change(session.id, { state: "processing", asked: { amount_minor: 99, currency: "CNY" } });
  await expect(startPayment(ctx, shop.tenant, { order_id: order.id, gateway: "wechatpay" })).rejects.toMatchObject({
    code: "session_active",
  });
  await expect(cancelOrder(ctx, shop.tenant, { order_id: order.id })).rejects.toMatchObject({ code: "session_active" });
});

test("a callback signed with a secret that was replaced today is accepted", async () => {
  const shop = await open();
  const { order, session } = await shop.started();
  const { version } = await findCredential(ctx, shop.tenant, { gateway: "testpay", id: shop.credential });
  await changeCredential(ctx, shop.tenant, {
    gateway: "testpay",
    id: shop.credential,
    if_version: version,
    fields: { secret: "the next secret" },
  });
  gateway.pay(session.id);
  expect(await sendCallback(shop.credential, session.id, { secret: "a third secret" })).toMatchObject({ status: 401 });
  expect(await sendCallback(shop.credential, session.id)).toMatchObject({ status: 200 });
  expect(await orderOf(shop, order.id)).toMatchObject({ status: "paid" });
});

test("a payment on an account that was removed in the meantime is settled all the same", async () => {
  const shop = await open();
  const { order, session } = await shop.started();
  await removeCredential(ctx, shop.tenant, { gateway: "testpay", id: shop.credential, if_version: null });
  gateway.pay(session.id);
  expect(await sendCallback(shop.credential, session.id)).toMatchObject({ status: 200 });
  expect(await orderOf(shop, order.id)).toMatchObject({ status: "paid" });
});
