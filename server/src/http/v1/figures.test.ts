import { expect, test } from "vitest";
import { createOrder, simulatePayment } from "#orders/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { refusalsIn } from "#test/support/refusals/refusals.ts";

const app = await testApp({ http: { perMinuteUnauthenticated: 1_000 } });
const refusals = refusalsIn(app);
const november = "from=2026-11-01T00:00:00Z&to=2026-12-01T00:00:00Z";

refusals("GET /api/v1/projects/:projectId/figures", () => ({}), [
  { name: "a beginning that is no time", query: "from=yesterday", status: 400, code: "parameter_invalid", param: "from" },
  {
    name: "an end before the beginning",
    query: "from=2026-11-02T00:00:00Z&to=2026-11-01T00:00:00Z",
    status: 400,
    code: "parameter_invalid",
    param: "to",
  },
  {
    name: "more than 400 days",
    query: "from=2024-01-01T00:00:00Z&to=2026-11-01T00:00:00Z",
    status: 400,
    code: "parameter_invalid",
    param: "from",
  },
  { name: "a zone that is none", query: `${november}&time_zone=Mars/Base`, status: 400, code: "parameter_invalid", param: "time_zone" },
]);

test("figures count what was paid by day, zone and channel, only of this project and environment", async () => {
  const shop = await app.tenant();
  const other = await app.tenant();
  for (const [tenant, outcome] of [
    [shop, "paid"],
    [shop, "overpaid"],
    [shop, "expire"],
    [other, "paid"],
  ] as const) {
    const { order } = await createOrder(app.ctx, tenant, { amount_minor: 1000, currency: "CNY" });
    await simulatePayment(app.ctx, tenant, { order_id: order.id, outcome });
  }
  await createOrder(app.ctx, shop, { amount_minor: 500, currency: "CNY" });
  const api = app.api(shop.key);
  const read = await api.get(`/api/v1/projects/${shop.project_id}/figures?${november}&time_zone=Pacific/Kiritimati`);
  expect(read).toMatchObject({
    status: 200,
    body: {
      object: "figures",
      days: [{ day: "2026-11-20", currency: "CNY", paid_count: 2, paid_minor: 2000 }],
      orders: { created: 4, ended: 3, paid: 2 },
    },
  });
  expect(read.body.channels).toMatchObject([{ currency: "CNY", paid_count: 2, paid_minor: 2000 }]);
  const before = await api.get(`/api/v1/projects/${shop.project_id}/figures?from=2026-10-01T00:00:00Z&to=2026-11-01T00:00:00Z`);
  expect(before.body).toMatchObject({ days: [], channels: [], orders: { created: 0 }, review_seconds: null });
});
