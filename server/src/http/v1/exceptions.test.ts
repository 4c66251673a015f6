import { expect, test } from "vitest";
import { createOrder, simulatePayment } from "#orders/index.ts";
import { listExceptions } from "#reconciliation/index.ts";
import { type TestTenant, testApp } from "#test/support/app/test-app.ts";
import { type Good, refusalsIn } from "#test/support/refusals/refusals.ts";

const app = await testApp({ http: { perMinuteUnauthenticated: 1_000 } });
const refusals = refusalsIn(app);

let count = 0;

/** An open exception over money beyond an order's amount. */
async function overpaid(shop: TestTenant): Promise<{ id: string; order_id: string; reference: string }> {
  // What is simulated in TEST is the same machinery as in LIVE, where this test only needs an object to be refused.
  const { order } = await createOrder(app.ctx, shop, { amount_minor: 1000, currency: "CNY", reference: `INV-${++count}` });
  await simulatePayment(app.ctx, shop, { order_id: order.id, outcome: "overpaid" });
  const { rows } = await listExceptions(app.ctx, shop, { limit: 1, filters: {} });
  return { id: rows[0]?.id ?? "", order_id: order.id, reference: order.reference };
}

const open: Good = async (shop) => ({ params: { id: shop.livemode ? "exc_none" : (await overpaid(shop)).id }, body: { action: "ignore" } });

refusals("GET /api/v1/projects/:projectId/exceptions", () => ({}), [
  { name: "a kind that is none", query: "kind=odd", status: 400, code: "parameter_invalid", param: "kind" },
  { name: "a cursor that names nothing", query: "starting_after=exc_none", status: 400, code: "invalid_cursor", param: "starting_after" },
]);
refusals("POST /api/v1/projects/:projectId/exceptions/:id/resolve", open, [
  { name: "no action", body: {}, status: 400, code: "parameter_missing", param: "action" },
  {
    name: "a way of paying back that is none",
    body: { action: "refund", refund: { channel: "pigeon" } },
    status: 400,
    code: "parameter_invalid",
    param: "refund.channel",
  },
  { name: "keeping what was paid back", body: { action: "accept", refund: {} }, status: 400, code: "parameter_conflict", param: "refund" },
  {
    name: "an order that does not exist",
    body: { action: "accept", order_id: "ord_none" },
    status: 400,
    code: "parameter_invalid",
    param: "order_id",
  },
  {
    name: "a second resolver",
    status: 409,
    code: "review_exists",
    given: async (shop, good) =>
      void (await app.api(shop.key).post(`/api/v1/projects/${shop.project_id}/exceptions/${good.params?.id}/resolve`, good.body)),
  },
]);

test("an exception is listed while it is open, identifies its order, and shows how it was resolved", async () => {
  const shop = await app.tenant();
  const { id, order_id, reference } = await overpaid(shop);
  const api = app.api(shop.key);
  const list = await api.get(`/api/v1/projects/${shop.project_id}/exceptions?status=open&kind=overpaid`);
  expect(list.body.data).toMatchObject([
    { id, object: "payment_exception", kind: "overpaid", status: "open", order_id, reference, amount_minor: 100 },
  ]);
  const ofOrder = async (id: string) => (await api.get(`/api/v1/projects/${shop.project_id}/exceptions?order_id=${id}`)).body.data.length;
  expect([await ofOrder(order_id), await ofOrder("ord_00000000000000000000000000")]).toEqual([1, 0]);
  const resolved = await api.post(`/api/v1/projects/${shop.project_id}/exceptions/${id}/resolve`, { action: "ignore", note: "a tip" });
  expect(resolved).toMatchObject({
    status: 200,
    body: { status: "resolved", reference, resolution: "ignore", resolution_note: "a tip", resolved_by: shop.key_id },
  });
  expect((await api.get(`/api/v1/projects/${shop.project_id}/exceptions?status=open`)).body.data).toEqual([]);
});
