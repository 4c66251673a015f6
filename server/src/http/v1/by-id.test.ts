import { createOrder, simulatePayment, startPayment } from "#orders/index.ts";
import { type TestTenant, testApp } from "#test/support/app/test-app.ts";
import { payShop } from "#test/support/payments/pay-shop.ts";
import { type Good, refusalsIn } from "#test/support/refusals/refusals.ts";

const app = await testApp({ http: { perMinuteUnauthenticated: 1_000 } });
const refusals = refusalsIn(app);
const order = { amount_minor: 9900, currency: "CNY" };

/** The newest object of a list, after an order was overpaid. Nothing is simulated in LIVE: there an id that names nothing does. */
const newestOf =
  (path: (shop: TestTenant) => string): Good =>
  async (shop) => {
    if (shop.livemode) return { params: { id: "none" } };
    const made = await createOrder(app.ctx, shop, order);
    await simulatePayment(app.ctx, shop, { order_id: made.order.id, outcome: "overpaid" });
    return { params: { id: (await app.api(shop.key).get(path(shop))).body.data[0].id } };
  };

refusals(
  "GET /api/v1/transactions/:id",
  newestOf(() => "/api/v1/transactions"),
);
refusals(
  "GET /api/v1/wallets/:id",
  newestOf(() => "/api/v1/wallets"),
);
refusals(
  "GET /api/v1/projects/:projectId/exceptions/:id",
  newestOf((shop) => `/api/v1/projects/${shop.project_id}/exceptions`),
);
refusals("GET /api/v1/projects/:projectId/payment-sessions/:id", async () => {
  const shop = await payShop(app);
  const made = await shop.order();
  return { params: { id: (await startPayment(app.ctx, shop.tenant, { order_id: made.order.id, gateway: "wechatpay" })).session.id } };
});
refusals(
  "PATCH /api/v1/projects/:projectId/orders/:id",
  async (shop) => ({ params: { id: (await createOrder(app.ctx, shop, order)).order.id }, body: {} }),
  [
    {
      name: "a version that is not the order's",
      headers: { "if-match": "7" },
      body: { description: "x" },
      status: 409,
      code: "version_conflict",
    },
    { name: "an amount", body: { amount_minor: 1 }, status: 400, code: "parameter_unknown", param: "amount_minor" },
    { name: "metadata named after a card", body: { metadata: { pan: "x" } }, status: 400, code: "card_number_refused" },
  ],
);
