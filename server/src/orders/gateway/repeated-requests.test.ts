import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import { type GatewayAccount, type GatewayAdapter, GatewayError, type NewGatewayPayment } from "#gateways/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { type GatewayShop, gatewayShop } from "#test/support/gateways/scripted/gateway-shop.ts";
import { payingGateway } from "#test/support/gateways/scripted/paying-gateway.ts";
import { issuePaymentLink } from "../link/issue-payment-link.ts";
import { changeOrder } from "../order/change-order.ts";
import { startPayment } from "../payment/start-payment.ts";
import { findGatewayPayment } from "../rows/gateway-payments.sql.ts";
import { listSessionRows } from "../rows/sessions.sql.ts";
import type { GatewayBuyer } from "./buyer/buyer.ts";

const gateway = payingGateway();

/** A provider that only accepts the same request again under a reference, as most do. */
function strict({ open, ...adapter }: GatewayAdapter): GatewayAdapter {
  const sameOf = ({ title, returnUrl, cancelUrl, buyer }: NewGatewayPayment) => ({ title, returnUrl, cancelUrl, buyer });
  const guarded = (account: GatewayAccount): GatewayAccount => ({
    ...account,
    create(call, wanted) {
      const before = gateway.payments.get(wanted.reference)?.wanted;
      if (before !== undefined && !isDeepStrictEqual(sameOf(before), sameOf(wanted)))
        return Promise.reject(new GatewayError("conflict", { code: "not_the_same", message: "This isn't the same request." }));
      return account.create(call, wanted);
    },
  });
  return { ...adapter, open: (...given) => guarded(open(...given)) };
}

const app = await testApp({ gateways: { adapters: [strict(gateway.adapter)] } });
const { ctx } = app;

const buyer: GatewayBuyer = { ip: null, locale: "en-GB", device: "desktop", openid: null };
const start = (shop: GatewayShop, order_id: string, by = buyer) =>
  startPayment(ctx, shop.tenant, { order_id, gateway: "testpay", buyer: by });
const sessions = (shop: GatewayShop, id: string) => listSessionRows(ctx.db, shop.tenant, [id]);
const madeFor = (id: string) => [...gateway.payments.values()].filter(({ wanted }) => wanted.metadata["order_id"] === id);

/** A payment that the provider made, and whose response was lost. */
const startLost = async () => {
  const shop = await gatewayShop(app);
  await shop.account("tp_a");
  const { order } = await shop.order({ description: "Two pots of tea" });
  gateway.fault("create", { kind: "unknown_outcome", after: true });
  await expect(start(shop, order.id)).rejects.toMatchObject({ code: "gateway_timeout" });
  const [lost] = await sessions(shop, order.id);
  return { shop, order_id: order.id, lost_id: lost?.id ?? "" };
};
/** It was stored by an earlier version, without what it was requested with; and its order has another description now. */
const startOtherwise = async () => {
  const lost = await startLost();
  const forget = "update gateway_payments set title = null, locale = null, link_id = null, page_query = null where payment_session_id = ?";
  await runStatement(ctx.db, forget, lost.lost_id);
  await changeOrder(ctx, lost.shop.tenant, { order_id: lost.order_id, if_version: null, description: "Three pots of tea" });
  return lost;
};

test.each<{ name: string; change: (shop: GatewayShop, order_id: string) => Promise<unknown>; by?: GatewayBuyer }>([
  { name: "a buyer with another language", change: async () => {}, by: { ...buyer, locale: "zh-CN" } },
  { name: "a page in another language", change: async () => {}, by: { ...buyer, page_query: "?lang=zh&theme=dark" } },
  { name: "a new payment link", change: (shop, order_id) => issuePaymentLink(ctx, shop.tenant, { order_id }) },
  {
    name: "another description of the order",
    change: (shop, order_id) => changeOrder(ctx, shop.tenant, { order_id, if_version: null, description: "Three pots of tea" }),
  },
])("a payment whose response was lost is requested again in the same way, with $name", async ({ change, by }) => {
  const { shop, order_id, lost_id } = await startLost();
  await change(shop, order_id);
  const found = await start(shop, order_id, by);
  expect(found.session).toMatchObject({ id: lost_id, status: "pending", method_data: { next_action: { type: "redirect" } } });
  expect(madeFor(order_id)).toMatchObject([{ state: "pending", wanted: { title: "Two pots of tea", buyer: { locale: "en-GB" } } }]);
});

test("a payment that the provider has with different data is closed there, and another one is started", async () => {
  const { shop, order_id, lost_id } = await startOtherwise();
  const { session, created } = await start(shop, order_id);
  expect(created).toBe(true);
  expect(await sessions(shop, order_id)).toMatchObject([
    { id: session.id, status: "pending", method_data: { next_action: { type: "redirect" } } },
    { id: lost_id, status: "canceled" },
  ]);
  expect(madeFor(order_id)).toMatchObject([{ state: "canceled" }, { state: "pending", wanted: { title: "Three pots of tea" } }]);
  expect(await findGatewayPayment(ctx.db, shop.tenant, lost_id)).toMatchObject({ status: "done" });
});

test("a payment that the provider has with different data isn't replaced while it can't be closed", async () => {
  const { shop, order_id, lost_id } = await startOtherwise();
  gateway.fault("close", { kind: "unknown_outcome" });
  await expect(start(shop, order_id)).rejects.toMatchObject({ code: "session_active" });
  expect(await sessions(shop, order_id)).toMatchObject([{ id: lost_id, status: "pending" }]);
  expect(madeFor(order_id)).toMatchObject([{ state: "pending" }]);
});

test("a payment that the provider has with different data isn't replaced while the buyer is paying it", async () => {
  const { shop, order_id, lost_id } = await startOtherwise();
  gateway.change(lost_id, { state: "processing" });
  await expect(start(shop, order_id)).rejects.toMatchObject({ code: "gateway_timeout" });
  expect(await sessions(shop, order_id)).toMatchObject([{ id: lost_id, status: "processing" }]);
  expect(madeFor(order_id)).toMatchObject([{ state: "processing" }]);
});
