import { expect, test } from "vitest";
import { auditLedger } from "#ledger/index.ts";
import { narrow } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { payingGateway } from "#test/support/gateways/scripted/paying-gateway.ts";
import { refundShop } from "#test/support/gateways/scripted/refund-shop.ts";
import { bookFaults } from "#test/support/payments/receipt-shop.ts";
import { simulatePayment } from "../../settle/simulate-payment.ts";
import { refundOrder } from "../refund-order.ts";

const gateway = payingGateway();
const app = await testApp({ gateways: { adapters: [gateway.adapter] } });
const { ctx } = app;
const shop = await refundShop(app, gateway);

test("a request that is repeated continues its refund, also if more is left now of what came in another way", async () => {
  const { order, session } = await shop.started({ amount_minor: 10_000 });
  gateway.pay(session.id, { paid: { amount_minor: 6_000, currency: "CNY" } });
  await shop.ask(session);
  await simulatePayment(ctx, shop.tenant, { order_id: order.id });
  const { project_id, livemode } = shop.tenant;
  const request = { project_id, livemode, method: "POST", path: "/refunds", key: "k-parts", fingerprint: "f" };
  const attempt = () => {
    const own = narrow(ctx, { claim: { ...request, replayed: false, used: false } }, app.database);
    return refundOrder(own, shop.tenant, { order_id: order.id, amount_minor: 6_000 });
  };
  const [asked, answers] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  gateway.meanwhile = () => {
    asked.resolve();
    return answers.promise;
  };
  const first = attempt();
  await asked.promise;
  const second = attempt();
  expect(await second).toMatchObject({ method: "gateway", gateway: "testpay", status: "pending", amount_minor: 6_000 });
  answers.resolve();
  gateway.meanwhile = null;
  expect((await first).id).toBe((await second).id);
  expect(await shop.refunds(order.id)).toMatchObject([{ method: "gateway", status: "succeeded", amount_minor: 6_000 }]);
  expect(await bookFaults(app)).toEqual([]);
  expect((await auditLedger(ctx)).faults).toEqual([]);
});
