import { expect, test } from "vitest";
import { auditBooks, simulatePayment } from "#orders/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { localEgress } from "#test/support/network/certificate.ts";
import { receiver } from "#test/support/network/receiver.ts";
import { payShop } from "#test/support/payments/pay-shop.ts";

const app = await testApp({ egress: await localEgress() });

test("a test of order.paid announces no order in the books", async () => {
  const { tenant, order } = await payShop(app);
  const paid = await order();
  await simulatePayment(app.ctx, tenant, { order_id: paid.order.id, outcome: "paid" });
  const shop = await receiver();
  const [api, webhooks] = [app.api(tenant.key), `/api/v1/projects/${tenant.project_id}/webhooks`];
  const { id } = (await api.post(webhooks, { url: shop.url, events: ["*"] })).body;
  expect((await api.post(`${webhooks}/${id}/test`, { event: "order.paid" })).body).toMatchObject({ status: "succeeded" });
  expect(await auditBooks(app.ctx)).toEqual([]);
});
