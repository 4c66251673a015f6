import { expect, test } from "vitest";
import { createOrder, simulatePayment } from "#orders/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { gatewayShop } from "#test/support/gateways/scripted/gateway-shop.ts";
import { payingGateway } from "#test/support/gateways/scripted/paying-gateway.ts";
import { type Good, refusalsIn } from "#test/support/refusals/refusals.ts";

const gateway = payingGateway();
const app = await testApp({ gateways: { adapters: [gateway.adapter] } });
const refusals = refusalsIn(app);
const slug = "testpay";
const wanted = (reference: string, changes: object = {}) => ({ reference, amount_minor: 9900, currency: "CNY", ...changes });
const create: Good = () => ({ params: { slug }, body: wanted("INV-1") });
const existing = async (shop: Parameters<Good>[0], currency = "CNY") =>
  (await createOrder(app.ctx, shop, { amount_minor: 9900, currency })).order.id;

refusals("GET /api/v1/projects/:projectId/orders/:id/gateway-payments", async (shop) => ({ params: { id: await existing(shop) } }), [
  { name: "a cursor that names nothing", query: "starting_after=gp_none", status: 400, code: "invalid_cursor", param: "starting_after" },
]);

refusals("POST /api/v1/projects/:projectId/gateways/:slug/payments", create, [
  { name: "a gateway that doesn't exist", params: { slug: "nopay" }, status: 404, code: "gateway_not_found", param: "slug" },
  { name: "a personal receiving code", params: { slug: "wechatpay" }, status: 404, code: "gateway_not_found", param: "slug" },
  {
    name: "neither an order nor what makes one",
    body: { reference: "INV-1" },
    status: 400,
    code: "parameter_missing",
    param: "amount_minor",
  },
  {
    name: "an order's own amount beside its id",
    status: 400,
    code: "parameter_conflict",
    param: "amount_minor",
    given: async (shop) => ({ body: { order_id: await existing(shop), amount_minor: 9900 } }),
  },
  {
    name: "an order that doesn't exist",
    body: { order_id: "ord_00000000000000000000000000" },
    status: 404,
    code: "resource_missing",
    param: "order_id",
  },
  {
    name: "a currency that the gateway doesn't take",
    status: 400,
    code: "unsupported_currency",
    given: async (shop) => ({ body: { order_id: await existing(shop, "USD") } }),
  },
  {
    name: "a project without an account",
    status: 409,
    code: "gateway_not_configured",
    given: async (shop) => ({ body: { order_id: await existing(shop) } }),
  },
  {
    name: "an order that was paid in another way",
    status: 409,
    code: "order_already_paid",
    given: async (shop) => {
      const id = await existing(shop);
      await simulatePayment(app.ctx, shop, { order_id: id });
      return { body: { order_id: id } };
    },
  },
  {
    name: "a reference that has another amount",
    status: 409,
    code: "reference_exists",
    param: "reference",
    given: async (shop) => {
      await createOrder(app.ctx, shop, { amount_minor: 100, currency: "CNY", reference: "INV-1" });
      return undefined;
    },
  },
]);
refusals("GET /api/v1/projects/:projectId/gateways/:slug/payments", () => ({ params: { slug }, query: "reference=INV-1" }), [
  { name: "no reference", query: "", status: 400, code: "parameter_missing", param: "reference" },
  { name: "a reference without a payment", status: 404, code: "resource_missing", param: "reference" },
  { name: "a gateway that doesn't exist", params: { slug: "nopay" }, status: 404, code: "gateway_not_found", param: "slug" },
]);

test("the same reference and amount are one payment: 201, then 200, also once it is paid", async () => {
  const shop = await gatewayShop(app);
  const account = await shop.account("tp_a");
  const api = app.api(shop.tenant.key);
  const path = `/api/v1/projects/${shop.tenant.project_id}/gateways/${slug}/payments`;
  const first = await api.post(path, wanted("INV-7", { description: "Tea", metadata: { cart: "9" } }));
  expect(first).toMatchObject({
    status: 201,
    body: {
      object: "gateway_payment",
      gateway: slug,
      reference: "INV-7",
      account,
      status: "requires_action",
      amount_minor: 9900,
      currency: "CNY",
      next_action: { type: "redirect" },
      failure_code: null,
    },
  });
  const { id, order_id, payment_session_id, gateway_transaction_id } = first.body;
  expect(gateway_transaction_id).toBe(gateway.payments.get(payment_session_id)?.providerId);
  expect(await api.post(path, wanted("INV-7", { currency: "cny" }))).toMatchObject({ status: 200, body: { id } });
  expect(await api.post(path, wanted("INV-7", { amount_minor: 9901 }))).toMatchObject({
    status: 409,
    body: { error: { code: "reference_exists" } },
  });
  expect(await api.post(path, { order_id })).toMatchObject({ status: 200, body: { id } });
  expect(await api.get(`${path}?reference=INV-7`)).toMatchObject({ status: 200, body: { id, status: "requires_action" } });
  gateway.pay(payment_session_id);
  const { headers, payload } = gateway.callback(payment_session_id);
  expect(await app.api().call("POST", `/api/payments/${slug}/webhook/${account}`, { headers, payload })).toMatchObject({ status: 200 });
  const paid = { id, status: "succeeded", next_action: null, gateway_transaction_id: `cap_${payment_session_id}` };
  expect(await api.get(`${path}?reference=INV-7`)).toMatchObject({ status: 200, body: paid });
  expect(await api.post(path, wanted("INV-7"))).toMatchObject({ status: 200, body: paid });
});

test("an order lists its payments at gateways, with the provider's own state, id and fee", async () => {
  const shop = await gatewayShop(app);
  const account = await shop.account("tp_a");
  const api = app.api(shop.tenant.key);
  const base = `/api/v1/projects/${shop.tenant.project_id}`;
  const { order_id, payment_session_id } = (await api.post(`${base}/gateways/${slug}/payments`, wanted("INV-20"))).body;
  const list = async () => (await api.get(`${base}/orders/${order_id}/gateway-payments`)).body.data;
  expect(await list()).toMatchObject([{ payment_session_id, account, gateway_status: "OPEN", fee: null, paid_at: null }]);
  gateway.pay(payment_session_id, { fee: { amount_minor: 120, currency: "EUR" } });
  const { headers, payload } = gateway.callback(payment_session_id);
  await app.api().call("POST", `/api/payments/${slug}/webhook/${account}`, { headers, payload });
  expect(await list()).toMatchObject([
    {
      ...{ object: "gateway_payment", status: "succeeded", gateway_status: "PAID", gateway_transaction_id: `cap_${payment_session_id}` },
      ...{ gateway_payment_id: gateway.payments.get(payment_session_id)?.providerId, fee: { amount_minor: 120, currency: "EUR" } },
      paid_at: "2026-11-20T08:00:30.000Z",
    },
  ]);
  const { order } = await createOrder(app.ctx, shop.tenant, { amount_minor: 9900, currency: "CNY" });
  expect((await api.get(`${base}/orders/${order.id}/gateway-payments`)).body.data).toEqual([]);
});

test("a repeated Idempotency-Key gets the first response, and a failed attempt is followed by another one", async () => {
  const shop = await gatewayShop(app);
  await shop.account("tp_a");
  const api = app.api(shop.tenant.key);
  const path = `/api/v1/projects/${shop.tenant.project_id}/gateways/${slug}/payments`;
  const keyed = { headers: { "idempotency-key": "pay-1" } };
  const first = await api.post(path, wanted("INV-8"), keyed);
  const again = await api.post(path, wanted("INV-8"), keyed);
  expect(again).toMatchObject({ status: 201, body: first.body, headers: { "idempotent-replayed": "true" } });
  gateway.change(first.body.payment_session_id, { state: "failed", failure: { code: "card_declined", message: "The card was declined." } });
  const account = first.body.account;
  const { headers, payload } = gateway.callback(first.body.payment_session_id);
  await app.api().call("POST", `/api/payments/${slug}/webhook/${account}`, { headers, payload });
  const failed = { status: "failed", failure_code: "card_declined", failure_message: "The card was declined." };
  expect(await api.get(`${path}?reference=INV-8`)).toMatchObject({ body: failed });
  const next = await api.post(path, wanted("INV-8"));
  expect(next).toMatchObject({ status: 201, body: { status: "requires_action", order_id: first.body.order_id } });
  expect(next.body.id).not.toBe(first.body.id);
});

test("a lost response is a 504, and the same request finds the payment", async () => {
  const shop = await gatewayShop(app);
  await shop.account("tp_a");
  const api = app.api(shop.tenant.key);
  const path = `/api/v1/projects/${shop.tenant.project_id}/gateways/${slug}/payments`;
  gateway.fault("create", { kind: "unknown_outcome", after: true });
  const lost = await api.post(path, wanted("INV-9"), { headers: { "idempotency-key": "pay-2" } });
  expect(lost).toMatchObject({ status: 504, body: { error: { type: "gateway_error", code: "gateway_timeout" } } });
  expect(await api.get(`${path}?reference=INV-9`)).toMatchObject({ body: { status: "pending", next_action: null } });
  expect(await api.post(path, wanted("INV-9"), { headers: { "idempotency-key": "pay-2" } })).toMatchObject({
    status: 200,
    body: { status: "requires_action" },
  });
});
