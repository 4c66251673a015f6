import { expect, test } from "vitest";
import { createDemo } from "#gateways/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { demoGateways } from "#test/support/gateways/simulated/demo-shop.ts";
import { type PayShop, payShop } from "#test/support/payments/pay-shop.ts";
import { issuePaymentLink } from "../link/issue-payment-link.ts";
import { startPayment } from "../payment/start-payment.ts";
import type { GatewayBuyer } from "./buyer/buyer.ts";

const app = await testApp({ gateways: demoGateways });
const { ctx } = app;

const buyer: GatewayBuyer = { ip: null, locale: "en-GB", device: "desktop", openid: null };

test.each<{ name: string; change: (shop: PayShop, order_id: string) => Promise<unknown>; by: GatewayBuyer }>([
  { name: "a buyer with another language", change: async () => {}, by: { ...buyer, locale: "zh-CN" } },
  { name: "a new payment link", change: (shop, order_id) => issuePaymentLink(ctx, shop.tenant, { order_id }), by: buyer },
])("a Stripe session whose response was lost is found again by the same request, with $name", async ({ change, by }) => {
  const shop = await payShop(app);
  await createDemo(ctx, shop.tenant, { gateway: "stripe" });
  const { order } = await shop.order({ currency: "EUR" });
  const start = (who: GatewayBuyer) => startPayment(ctx, shop.tenant, { order_id: order.id, gateway: "stripe", buyer: who });
  const { session } = await start(buyer);
  // As it is stored while the response hasn't arrived.
  const asRequested = JSON.stringify({ type: "gateway", next_action: null, demo: true });
  await runStatement(ctx.db, "update payment_sessions set method_data = ?::text::jsonb where id = ?", asRequested, session.id);
  await change(shop, order.id);
  const found = await start(by);
  expect(found.session).toMatchObject({ id: session.id, status: "pending" });
  expect(found.session.method_data).toEqual(session.method_data);
});
