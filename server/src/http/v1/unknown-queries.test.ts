import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";

const app = await testApp();
const shop = await app.tenant();
const api = app.api(shop.key);
const base = `/api/v1/projects/${shop.project_id}`;
const { body: order } = await api.post(`${base}/orders`, { amount_minor: 900, currency: "CNY" });

test("every route of both APIs refuses query parameters that it doesn't declare", async () => {
  const routes = (await app.server()).routes.filter(({ url }) => /^\/(api\/)?v1\//.test(url));
  const lenient = routes.filter(
    ({ schema }) => (schema?.querystring as { additionalProperties?: boolean } | undefined)?.additionalProperties !== false,
  );
  expect(routes.length).toBeGreaterThan(100);
  expect(lenient.map(({ method, url }) => `${method} ${url}`)).toEqual([]);
});

test.each([
  ["GET", "/api/v1/merchant", undefined],
  ["GET", `${base}/events/evt_x`, undefined],
  ["GET", "/v1/usage", undefined],
  ["POST", `${base}/orders`, { amount_minor: 900, currency: "CNY" }],
  ["PATCH", `${base}/orders/${order.id}`, { description: "Tea" }],
  ["POST", `${base}/orders/${order.id}/cancel`, {}],
  ["DELETE", `${base}/orders/${order.id}/payment-link`, undefined],
  ["POST", "/api/v1/orders", { amount_minor: 900, currency: "CNY" }],
] as const)("%s %s with one is refused, and nothing is done", async (method, path, body) => {
  const reply = await api.call(method, `${path}?dry_run=1`, body === undefined ? {} : { body });
  expect(reply.body.error).toMatchObject({ code: "parameter_unknown", param: "dry_run" });
  expect((await api.get(`${base}/orders?include=total_count`)).body).toMatchObject({
    total_count: 1,
    data: [{ version: 1, status: "unpaid" }],
  });
});
