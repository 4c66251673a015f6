import { expect, test } from "vitest";
import { createCredential } from "#gateways/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { scriptedGateway, scriptedProvider } from "#test/support/gateways/scripted/scripted-gateway.ts";
import { payShop } from "#test/support/payments/pay-shop.ts";
import { startPayment } from "../../payment/start-payment.ts";

const provider = await scriptedProvider();
const app = await testApp({ gateways: { adapters: [scriptedGateway()], urls: [`testpay=${provider.url}`] } });
const { ctx } = app;

test("a payment whose account's fields its gateway no longer accepts still serves the buyer who opened it", async () => {
  const shop = await payShop(app);
  const { id } = await createCredential(ctx, shop.tenant, { gateway: "testpay", fields: { key: "tp_test_1", secret: "sk-very-secret-1" } });
  const { order } = await shop.order({ currency: "EUR" });
  const buyer = { ip: null, locale: "en", device: "desktop", openid: null };
  const start = () => startPayment(ctx, shop.tenant, { order_id: order.id, gateway: "testpay", buyer });
  const { session } = await start();
  await runStatement(ctx.db, "update gateway_credentials set fields = '{}' where id = ?", id);
  expect(await start()).toMatchObject({ created: false, session: { id: session.id, status: "pending" } });
});
