import { expect, test } from "vitest";
import { putProfile } from "#collection/index.ts";
import { createOrder, startPayment } from "#orders/index.ts";
import { type TestTenant, testApp } from "#test/support/app/test-app.ts";
import { wechatCode } from "#test/support/payments/pay-shop.ts";
import { refusalsIn } from "#test/support/refusals/refusals.ts";

const app = await testApp({ http: { perMinuteUnauthenticated: 1_000 } });
const refusals = refusalsIn(app);

const receipts = (shop: TestTenant) => `/api/v1/projects/${shop.project_id}/receipts`;
const receipt = { channel: "wechat", amount_minor: 990, occurred_at: "2026-11-20T08:01:00Z", external_id: "1000049901202611201234567890" };

refusals("GET /api/v1/projects/:projectId/receipts", () => ({}), [
  { name: "a state that is none", query: "status=odd", status: 400, code: "parameter_invalid", param: "status" },
  { name: "a cursor that names nothing", query: "starting_after=rcp_none", status: 400, code: "invalid_cursor", param: "starting_after" },
]);
refusals("POST /api/v1/projects/:projectId/receipts", () => ({ body: receipt }), [
  { name: "no amount", body: { ...receipt, amount_minor: undefined }, status: 400, code: "parameter_missing", param: "amount_minor" },
  { name: "half a cent", body: { ...receipt, amount_minor: 0.5 }, status: 400, code: "parameter_invalid", param: "amount_minor" },
  { name: "dollars", body: { ...receipt, currency: "USD" }, status: 400, code: "unsupported_currency", param: "currency" },
  { name: "a statement's source", body: { ...receipt, source: "statement" }, status: 400, code: "parameter_invalid", param: "source" },
  {
    name: "year 0",
    body: { ...receipt, occurred_at: "0000-01-01T00:00:00Z" },
    status: 400,
    code: "parameter_invalid",
    param: "occurred_at",
  },
  {
    name: "a year beyond the last",
    body: { ...receipt, occurred_at: "9999-12-31T23:59:59-23:59" },
    status: 400,
    code: "parameter_invalid",
    param: "occurred_at",
  },
  {
    name: "a leap second",
    body: { ...receipt, occurred_at: "2026-06-30T23:59:60Z" },
    status: 400,
    code: "parameter_invalid",
    param: "occurred_at",
  },
  {
    name: "half an offset",
    body: { ...receipt, occurred_at: "2026-11-01T00:00:00+00" },
    status: 400,
    code: "parameter_invalid",
    param: "occurred_at",
  },
  // The test's clock is stopped at 2026-11-20T08:00:00Z.
  {
    name: "a time later than clocks may differ",
    body: { ...receipt, occurred_at: "2026-11-20T08:05:01Z" },
    status: 400,
    code: "parameter_invalid",
    param: "occurred_at",
  },
  {
    name: "a time more than 400 days back",
    body: { ...receipt, occurred_at: "2025-10-16T07:59:59Z" },
    status: 400,
    code: "parameter_invalid",
    param: "occurred_at",
  },
  { name: "no time of day", body: { ...receipt, occurred_at: "2026-11-01" }, status: 400, code: "parameter_invalid", param: "occurred_at" },
  { name: "a number of blanks", body: { ...receipt, external_id: " \t" }, status: 400, code: "parameter_invalid", param: "external_id" },
  {
    name: "a transfer that another project of the merchant recorded",
    status: 409,
    code: "review_exists",
    param: "external_id",
    given: async (shop) => {
      const other = await app.tenant({ merchant_id: shop.merchant_id });
      await app.api(other.key).post(receipts(other), receipt);
      return undefined;
    },
  },
  { name: "a person's word from a key", body: { ...receipt, source: "manual" }, status: 400, code: "parameter_invalid", param: "source" },
]);
async function waitingFor(shop: TestTenant, amount_minor: number) {
  const api = app.api(shop.key);
  await api.put(`/api/v1/projects/${shop.project_id}/collection-profiles/wechat`, {
    qr_payload: "wxp://f2f0AbCdEfGh1234567890-_xyzXYZ1",
    matching: { mode: "unique_amount" },
  });
  const { order } = await createOrder(app.ctx, shop, { amount_minor, currency: "CNY" });
  return startPayment(app.ctx, shop, { order_id: order.id, gateway: "wechatpay" });
}

test("a receipt of an amount that one buyer was asked for pays that order; repeated, it changes nothing", async () => {
  const shop = await app.tenant();
  const { order, session } = await waitingFor(shop, 990);
  const api = app.api(shop.key);
  const first = await api.post(receipts(shop), { ...receipt, amount_minor: session.payable_amount_minor });
  expect(first).toMatchObject({
    status: 201,
    body: { object: "receipt", status: "matched", payment_session_id: session.id, source: "listener" },
  });
  const again = await api.post(receipts(shop), { ...receipt, amount_minor: session.payable_amount_minor });
  expect(again).toMatchObject({ status: 200, body: { id: first.body.id } });
  expect((await api.get(`/api/v1/projects/${shop.project_id}/orders/${order.id}`)).body.status).toBe("paid");
});

test("a transfer without a number is recorded once per account, and not again if it is reported after the code moved to another", async () => {
  const shop = await app.tenant();
  const api = app.api(shop.key);
  const { external_id: _, ...numberless } = receipt;
  const report = async (more: object = {}) => {
    const { status, body } = await api.post(receipts(shop), { ...numberless, ...more });
    return { status, account_ref: body.account_ref };
  };
  expect(await report()).toEqual({ status: 201, account_ref: "main" });
  expect(await report({ account_ref: "second" })).toEqual({ status: 201, account_ref: "second" });
  for (const account_ref of ["main", "second"]) expect(await report({ account_ref })).toEqual({ status: 200, account_ref });
  app.clock.advance(60_000);
  await putProfile(app.ctx, shop, { channel: "wechat", if_version: null, qr_payload: wechatCode, account_ref: "third" });
  expect(await report()).toEqual({ status: 200, account_ref: "main" });
  expect(await report({ account_ref: "third" })).toEqual({ status: 201, account_ref: "third" });
  expect((await api.get(receipts(shop))).body.data).toHaveLength(3);
});
