import { expect, test } from "vitest";
import { createOrder, failRefund, refundOrder, simulatePayment } from "#orders/index.ts";
import { reversePayment } from "#reconciliation/index.ts";
import { type TestTenant, testApp } from "#test/support/app/test-app.ts";
import { type Good, refusalsIn } from "#test/support/refusals/refusals.ts";

const app = await testApp({ http: { perMinuteUnauthenticated: 1_000 } });
const { ctx } = app;
const refusals = refusalsIn(app);
const order = { amount_minor: 9900, currency: "CNY" };
const base = (shop: TestTenant) => `/api/v1/projects/${shop.project_id}`;

/** An order that was paid, where it can be simulated. */
async function paidOrder(shop: TestTenant): Promise<string> {
  const { id } = (await createOrder(ctx, shop, order)).order;
  if (!shop.livemode) await simulatePayment(ctx, shop, { order_id: id });
  return id;
}

const paid =
  (body?: unknown): Good =>
  async (shop) => ({ params: { id: await paidOrder(shop) }, ...(body === undefined ? {} : { body }) });
const refunded =
  (body?: unknown): Good =>
  async (shop) => {
    const id = shop.livemode ? "rf_none" : (await refundOrder(ctx, shop, { order_id: await paidOrder(shop), amount_minor: 100 })).id;
    return { params: { id }, ...(body === undefined ? {} : { body }) };
  };

refusals("POST /api/v1/projects/:projectId/orders/:id/refunds", paid({ amount_minor: 100 }), [
  { name: "more than was received", body: { amount_minor: 9901 }, status: 409, code: "refund_exceeds_received", param: "amount_minor" },
  { name: "nothing", body: { amount_minor: 0 }, status: 400, code: "amount_out_of_range", param: "amount_minor" },
  {
    name: "a provider's refund of money on a personal code",
    body: { method: "gateway" },
    status: 400,
    code: "parameter_conflict",
    param: "method",
  },
  { name: "a method that is none", body: { method: "pigeon" }, status: 400, code: "parameter_invalid", param: "method" },
  { name: "a channel that is none", body: { channel: "pigeon" }, status: 400, code: "parameter_invalid", param: "channel" },
  { name: "a reason that is none", body: { reason: "mood" }, status: 400, code: "parameter_invalid", param: "reason" },
  {
    name: "a time that is to come",
    body: { paid_back_at: "2027-01-01T00:00:00Z" },
    status: 400,
    code: "parameter_invalid",
    param: "paid_back_at",
  },
  { name: "a picture that is none", body: { asset_id: "ast_none" }, status: 400, code: "parameter_invalid", param: "asset_id" },
  { name: "a card's number", body: { note: "4111 1111 1111 1111" }, status: 400, code: "card_number_refused", param: "note" },
  {
    name: "an order that nobody paid",
    given: async (shop) => ({ params: { id: (await createOrder(ctx, shop, order)).order.id } }),
    status: 409,
    code: "order_state_conflict",
  },
]);
refusals("GET /api/v1/projects/:projectId/orders/:id/refunds", paid(), [
  { name: "a limit of 101", query: "limit=101", status: 400, code: "parameter_invalid", param: "limit" },
  { name: "a cursor that names nothing", query: "ending_before=zzz", status: 400, code: "invalid_cursor", param: "ending_before" },
]);
refusals("GET /api/v1/projects/:projectId/refunds", () => ({}), [
  { name: "a status that is none", query: "status=odd", status: 400, code: "parameter_invalid", param: "status" },
  { name: "a cursor that names nothing", query: "starting_after=rf_none", status: 400, code: "invalid_cursor", param: "starting_after" },
]);
refusals("GET /api/v1/projects/:projectId/refunds/:id", refunded());
refusals("POST /api/v1/projects/:projectId/refunds/:id/fail", refunded({ failure_code: "returned" }), [
  { name: "no code", body: {}, status: 400, code: "parameter_missing", param: "failure_code" },
  { name: "a code that is none", body: { failure_code: "lost" }, status: 400, code: "parameter_invalid", param: "failure_code" },
  {
    name: "one that failed already",
    given: async (shop, good) => void (await failRefund(ctx, shop, { refund_id: good.params?.["id"] ?? "", failure_code: "returned" })),
    status: 409,
    code: "order_state_conflict",
  },
]);
refusals("POST /api/v1/projects/:projectId/orders/:id/reverse", paid({ cause: "not_received", note: "slip" }), [
  { name: "no cause", body: { note: "slip" }, status: 400, code: "parameter_missing", param: "cause" },
  { name: "no word", body: { cause: "not_received" }, status: 400, code: "parameter_missing", param: "note" },
  { name: "a blank word", body: { cause: "not_received", note: " " }, status: 400, code: "parameter_invalid", param: "note" },
  {
    name: "one that was reversed already",
    given: async (shop, good) =>
      void (await reversePayment(ctx, shop, { order_id: good.params?.["id"] ?? "", cause: "not_received", note: "slip" })),
    status: 409,
    code: "order_state_conflict",
  },
  {
    name: "one with a refund",
    given: async (shop, good) => void (await refundOrder(ctx, shop, { order_id: good.params?.["id"] ?? "", amount_minor: 1 })),
    status: 409,
    code: "order_state_conflict",
  },
]);

test("a refund is recorded once under its key, listed, and shown with its order", async () => {
  const shop = await app.tenant();
  const api = app.api(shop.key);
  const id = await paidOrder(shop);
  const body = {
    amount_minor: 900,
    method: "manual",
    reason: "duplicate",
    note: "paid twice",
    channel: "alipay",
    paid_back_by: "Li Wei",
    paid_back_at: "2026-11-20T07:00:00.000Z",
    external_transaction_id: "4200009",
  };
  const send = () => api.post(`${base(shop)}/orders/${id}/refunds`, body, { headers: { "idempotency-key": "refund-1" } });
  const made = await send();
  expect(made).toMatchObject({
    status: 201,
    body: {
      ...body,
      object: "refund",
      status: "succeeded",
      order_id: id,
      exception_id: null,
      gateway: "wechatpay",
      currency: "CNY",
      created_by: shop.key_id,
    },
  });
  const again = await send();
  expect([again.status, again.body, again.headers["idempotent-replayed"]]).toEqual([201, made.body, "true"]);
  expect((await api.get(`${base(shop)}/refunds/${made.body.id}`)).body).toEqual(made.body);
  expect((await api.get(`${base(shop)}/orders/${id}/refunds`)).body.data).toEqual([made.body]);
  expect((await api.get(`${base(shop)}/refunds?status=succeeded&order_id=${id}`)).body.data).toEqual([made.body]);
  expect((await api.get(`${base(shop)}/refunds?status=failed`)).body.data).toEqual([]);
  const shown = await api.get(`${base(shop)}/orders/${id}?expand[]=refunds`);
  expect(shown.body).toMatchObject({ status: "paid", amount_refunded_minor: 900, refunds: [made.body] });
  const failed = await api.post(`${base(shop)}/refunds/${made.body.id}/fail`, { failure_code: "returned", note: "closed account" });
  expect(failed).toMatchObject({
    status: 200,
    body: { status: "failed", failure_code: "returned", failure_note: "closed account", version: 2 },
  });
  expect((await api.get(`${base(shop)}/orders/${id}`)).body.amount_refunded_minor).toBe(0);
});

test("refunds are only expanded for callers who can list them", async () => {
  const shop = await app.tenant();
  const id = await paidOrder(shop);
  await refundOrder(ctx, shop, { order_id: id, amount_minor: 100 });
  const { key } = await app.key(shop, ["orders:read"]);
  const paths = [`${base(shop)}/orders/${id}`, `${base(shop)}/orders`, `${base(shop)}/reviews/queue`];
  for (const path of paths) {
    expect(await app.api(key).get(`${path}?expand[]=refunds`), path).toMatchObject({
      status: 403,
      body: { error: { code: "permission_denied", required_scope: "payments:read" } },
    });
    expect((await app.api(key).get(`${path}?expand[]=payment_sessions&expand[]=vouchers`)).status, path).toBe(200);
    expect((await app.api(shop.key).get(`${path}?expand[]=refunds`)).status, path).toBe(200);
  }
});

test("an order's events carry refunds and transactions only for callers who can read those, page by page", async () => {
  const shop = await app.tenant();
  const id = await paidOrder(shop);
  await refundOrder(ctx, shop, { order_id: id, amount_minor: 100 });
  const path = `${base(shop)}/orders/${id}/events`;
  const list = async (scope: "orders:read" | "payments:read" | "webhooks:read", query = "") => {
    const { body } = await app.api((await app.key(shop, [scope, "orders:read"])).key).get(`${path}?limit=100${query}`);
    return body as { data: { id: string; event: string }[]; total_count: number; error: { code: string } };
  };
  const all = (await list("payments:read")).data;
  expect(all.map(({ event }) => event)).toEqual(expect.arrayContaining(["refund.succeeded", "transaction.completed", "order.paid"]));
  expect((await list("webhooks:read")).data).toEqual(all);
  const open = await list("orders:read", "&include=total_count");
  expect(open.data).toEqual(all.filter(({ event }) => !/^(refund|transaction)\./.test(event)));
  expect(open.total_count).toBe(open.data.length);
  const refund = all.find(({ event }) => event === "refund.succeeded");
  expect((await list("orders:read", `&starting_after=${refund?.id}`)).error.code).toBe("invalid_cursor");
});

test("a reversal returns the order, and is the newest of its reviews", async () => {
  const shop = await app.tenant();
  const api = app.api(shop.key);
  const id = await paidOrder(shop);
  expect(await api.post(`${base(shop)}/orders/${id}/reverse`, { cause: "other_order", note: "slip" })).toMatchObject({
    status: 200,
    body: { id, status: "paid", flags: ["payment_reversed"], amount_received_minor: 0 },
  });
  expect((await api.get(`${base(shop)}/orders/${id}/reviews`)).body.data).toMatchObject([
    { decision: "reversed", reason_code: "other_order", note: "slip" },
  ]);
  expect((await api.get(`${base(shop)}/exceptions?status=open`)).body.data).toMatchObject([
    { kind: "unmatched", order_id: null, amount_minor: 9900 },
  ]);
});
