import { expect, test } from "vitest";
import { createOrder, reportPayment, simulatePayment } from "#orders/index.ts";
import { multipart } from "#test/support/app/api.ts";
import { type TestTenant, testApp } from "#test/support/app/test-app.ts";
import { payShop } from "#test/support/payments/pay-shop.ts";
import { photo } from "#test/support/pictures/pictures.ts";
import { type Good, refusalsIn } from "#test/support/refusals/refusals.ts";

const app = await testApp({ http: { perMinuteUnauthenticated: 1_000 } });
const refusals = refusalsIn(app);
const order = { amount_minor: 9900, currency: "CNY" };
const path = (shop: TestTenant, id: string, part: string) => `/api/v1/projects/${shop.project_id}/orders/${id}/${part}`;
const unpaid = async (shop: TestTenant) => (await createOrder(app.ctx, shop, order)).order.id;
const existing: Good = async (shop) => ({ params: { id: await unpaid(shop) } });
const with_ =
  (body: unknown): Good =>
  async (shop) => ({ params: { id: await unpaid(shop) }, body });

refusals("POST /api/v1/projects/:projectId/orders/:id/payments", with_({ gateway: "wechatpay" }), [
  { name: "no gateway", body: {}, status: 400, code: "parameter_missing", param: "gateway" },
  { name: "the profile's name for the gateway", body: { gateway: "wechat" }, status: 400, code: "parameter_invalid", param: "gateway" },
  { name: "a channel without a code", status: 409, code: "collection_profile_missing" },
  {
    name: "a paid order",
    status: 409,
    code: "order_already_paid",
    given: async (shop, good) => void (await simulatePayment(app.ctx, shop, { order_id: good.params?.id ?? "" })),
  },
]);
for (const part of ["payments", "vouchers", "disputes", "events", "reviews"]) {
  refusals(`GET /api/v1/projects/:projectId/orders/:id/${part}`, existing, [
    { name: "a limit of 101", query: "limit=101", status: 400, code: "parameter_invalid", param: "limit" },
    { name: "a cursor that names nothing", query: "ending_before=zzz", status: 400, code: "invalid_cursor", param: "ending_before" },
  ]);
}

const form = (file: Uint8Array, fields: Record<string, string> = {}) => {
  const { payload, type } = multipart(file, fields);
  return { payload, headers: { "content-type": type } };
};

refusals("POST /api/v1/projects/:projectId/orders/:id/voucher", with_({ gateway: "wechatpay", transaction_reference: "4200001" }), [
  { name: "neither picture nor transfer", body: { gateway: "wechatpay" }, status: 400, code: "parameter_missing", param: "file" },
  {
    name: "no channel where no payment is open",
    body: { transaction_reference: "4200001" },
    status: 400,
    code: "parameter_missing",
    param: "gateway",
  },
  {
    name: "a card's number as a note",
    body: { gateway: "wechatpay", transaction_reference: "1", note: "4111 1111 1111 1111" },
    status: 400,
    code: "card_number_refused",
    param: "note",
  },
  {
    name: "an asset that does not exist",
    body: { gateway: "wechatpay", asset_id: "ast_none" },
    status: 400,
    code: "parameter_invalid",
    param: "asset_id",
  },
  {
    name: "a form with an unknown field",
    ...form(Buffer.from("x"), { colour: "blue" }),
    status: 400,
    code: "parameter_unknown",
    param: "colour",
  },
  {
    name: "a form with an amount in words",
    ...form(Buffer.from("x"), { amount_minor: "many" }),
    status: 400,
    code: "parameter_invalid",
    param: "amount_minor",
  },
  {
    name: "a form that breaks off",
    payload: form(Buffer.from("x")).payload.subarray(0, 150),
    headers: form(Buffer.from("x")).headers,
    status: 400,
    code: "parameter_invalid",
  },
  {
    name: "a file that is no picture",
    ...form(Buffer.from("GIF89a"), { gateway: "wechatpay" }),
    status: 415,
    code: "unsupported_media_type",
    param: "file",
  },
  {
    name: "a file of 6 MB",
    ...form(Buffer.alloc(6 * 1024 * 1024), { gateway: "wechatpay" }),
    status: 413,
    code: "file_too_large",
    param: "file",
  },
  {
    name: "a paid order",
    status: 409,
    code: "order_already_paid",
    given: async (shop, good) => void (await simulatePayment(app.ctx, shop, { order_id: good.params?.id ?? "" })),
  },
  {
    name: "a sixth proof",
    status: 400,
    code: "limit_reached",
    given: async (shop, good) => {
      for (let n = 0; n < 5; n += 1)
        await app
          .api(shop.key)
          .post(path(shop, good.params?.id ?? "", "voucher"), { gateway: "wechatpay", transaction_reference: `T-${n}` });
    },
  },
]);

test("starting twice returns the same session, first 201 and then 200", async () => {
  const { tenant, order: make } = await payShop(app);
  const { id } = (await make()).order;
  const api = app.api(tenant.key);
  const first = await api.post(path(tenant, id, "payments"), { gateway: "wechatpay" });
  expect(first).toMatchObject({
    status: 201,
    body: {
      object: "payment_session",
      gateway: "wechatpay",
      channel: "wechat",
      status: "pending",
      amount_minor: 9900,
      next_action: { type: "display_qr" },
    },
  });
  expect(await api.post(path(tenant, id, "payments"), { gateway: "wechatpay" })).toMatchObject({
    status: 200,
    body: { id: first.body.id },
  });
  const other = await api.post(path(tenant, id, "payments"), { gateway: "alipay" });
  expect(other.status).toBe(201);
  const list = await api.get(path(tenant, id, "payments"));
  expect(list.body.data.map((session: { id: string; status: string }) => [session.id, session.status])).toEqual([
    [other.body.id, "pending"],
    [first.body.id, "canceled"],
  ]);
});

test("a proof is sent as a form with a picture, once per Idempotency-Key", async () => {
  const shop = await app.tenant();
  const id = await unpaid(shop);
  const api = app.api(shop.key);
  const picture = await photo(300, 300);
  const send = (note: string) =>
    api.upload(path(shop, id, "voucher"), picture, { gateway: "wechatpay", note }, { headers: { "idempotency-key": "proof-1" } });
  const first = await send("see there");
  expect(first).toMatchObject({ status: 201, body: { object: "voucher", status: "submitted", note: "see there", risk_flags: [] } });
  expect(first.body.asset_id).toMatch(/^ast_/);
  const again = await send("see there");
  expect(again).toMatchObject({ status: 201, body: { id: first.body.id } });
  expect(again.headers["idempotent-replayed"]).toBe("true");
  expect((await send("another")).body.error.code).toBe("idempotency_key_reused");
  expect((await api.get(path(shop, id, "vouchers"))).body.data).toEqual([first.body]);
});

test("an order's events are shown as they will be delivered", async () => {
  const shop = await app.tenant();
  const id = await unpaid(shop);
  await reportPayment(app.ctx, shop, { order_id: id, gateway: "alipay" });
  const list = await app.api(shop.key).get(path(shop, id, "events"));
  expect(list.body.data.map(({ event }: { event: string }) => event)).toContain("order.payment_pending_verify");
  expect(list.body.data[0].data).toMatchObject({ project_id: shop.project_id, order: { id } });
});

test("an order's reviews show who decided, what and when", async () => {
  const shop = await app.tenant();
  const api = app.api(shop.key);
  const id = await unpaid(shop);
  await reportPayment(app.ctx, shop, { order_id: id, gateway: "wechatpay" });
  await api.post(path(shop, id, "verification"), { decision: "reject", reason_code: "unreadable", note: "Too dark" });
  app.clock.advance(60_000);
  const paid_at = "2026-11-20T07:45:00.000Z";
  const mark = { decision: "approve", gateway: "wechatpay", external_transaction_id: "42000099", paid_at };
  expect(await api.post(path(shop, id, "verification"), mark)).toMatchObject({ status: 200, body: { status: "paid" } });
  const reviewer = { kind: "api_key", id: shop.key_id, name: "test" };
  expect((await api.get(path(shop, id, "reviews"))).body.data).toMatchObject([
    {
      object: "review",
      decision: "approved",
      reviewer,
      gateway: "wechatpay",
      received_amount_minor: 9900,
      external_transaction_id: "42000099",
    },
    { object: "review", decision: "rejected", reviewer, reason_code: "unreadable", note: "Too dark", received_amount_minor: null },
  ]);
});
