import { expect, test } from "vitest";
import { putProfile } from "#collection/index.ts";
import { cancelOrder, createOrder, dismissClaim, findOrder, reportPayment, simulatePayment, startPayment } from "#orders/index.ts";
import { type TestTenant, testApp } from "#test/support/app/test-app.ts";
import { wechatCode } from "#test/support/payments/pay-shop.ts";
import { type Good, refusalsIn } from "#test/support/refusals/refusals.ts";

const app = await testApp({ http: { perMinuteUnauthenticated: 1_000 } });
const refusals = refusalsIn(app);
const order = { amount_minor: 9900, currency: "CNY" };
const path = (shop: TestTenant, id: string, action: string) => `/api/v1/projects/${shop.project_id}/orders/${id}/${action}`;
const unpaid = async (shop: TestTenant) => (await createOrder(app.ctx, shop, order)).order.id;
const with_ =
  (body: unknown): Good =>
  async (shop) => ({ params: { id: await unpaid(shop) }, body });
const afterwards =
  (work: (shop: TestTenant, order_id: string) => Promise<unknown>) => async (shop: TestTenant, good: { params?: Record<string, string> }) =>
    void (await work(shop, good.params?.id ?? ""));

const paid = afterwards((shop, order_id) => simulatePayment(app.ctx, shop, { order_id }));
const canceled = afterwards((shop, order_id) => cancelOrder(app.ctx, shop, { order_id }));
const started = afterwards((shop, order_id) => reportPayment(app.ctx, shop, { order_id, gateway: "wechatpay" }));
const expired = afterwards((shop, order_id) => simulatePayment(app.ctx, shop, { order_id, outcome: "expire" }));

refusals("POST /api/v1/projects/:projectId/orders/:id/payment-link", with_({}), [
  { name: "a paid order", given: paid, status: 409, code: "order_already_paid" },
  { name: "a canceled order", given: canceled, status: 409, code: "order_state_conflict" },
  { name: "an expired order without new time", given: expired, status: 409, code: "order_state_conflict" },
  { name: "a life of no time", body: { expires_in: 0 }, status: 400, code: "parameter_invalid", param: "expires_in" },
]);
refusals("DELETE /api/v1/projects/:projectId/orders/:id/payment-link", async (shop) => ({ params: { id: await unpaid(shop) } }));
refusals("POST /api/v1/projects/:projectId/orders/:id/cancel", with_({}), [
  { name: "a paid order", given: paid, status: 409, code: "order_already_paid" },
  { name: "a canceled order", given: canceled, status: 409, code: "order_state_conflict" },
]);
const claimed: Good = async (shop) => {
  const id = await unpaid(shop);
  await putProfile(app.ctx, shop, { channel: "wechat", if_version: null, qr_payload: wechatCode, enabled: true, payee_name: "张*" });
  await startPayment(app.ctx, shop, { order_id: id, gateway: "wechatpay" });
  await cancelOrder(app.ctx, shop, { order_id: id });
  await reportPayment(app.ctx, shop, { order_id: id, gateway: "wechatpay" });
  return { params: { id }, body: { reason: "no such transfer" } };
};
refusals("POST /api/v1/projects/:projectId/orders/:id/claim/dismiss", claimed, [
  { name: "no reason", body: {}, status: 400, code: "parameter_missing", param: "reason" },
  { name: "a blank reason", body: { reason: " " }, status: 400, code: "parameter_invalid", param: "reason" },
  {
    name: "a claim that was dismissed",
    given: afterwards((shop, order_id) => dismissClaim(app.ctx, shop, { order_id, reason: "returned" })),
    status: 409,
    code: "order_state_conflict",
  },
]);
refusals("POST /api/v1/projects/:projectId/orders/:id/simulate-payment", with_({ outcome: "paid" }), [
  { name: "LIVE orders", tenant: { livemode: true }, status: 403, code: "environment_mismatch" },
  { name: "an outcome that is none", body: { outcome: "lost" }, status: 400, code: "parameter_invalid", param: "outcome" },
  { name: "an amount of nothing", body: { amount_minor: 0 }, status: 400, code: "amount_out_of_range", param: "amount_minor" },
  { name: "expiring a paid order", given: paid, body: { outcome: "expire" }, status: 409, code: "order_already_paid" },
]);
refusals("POST /api/v1/projects/:projectId/orders/:id/verification", with_({ decision: "approve" }), [
  { name: "no decision", body: {}, status: 400, code: "parameter_missing", param: "decision" },
  { name: "an order that was never tried, without a channel", status: 400, code: "parameter_missing", param: "gateway" },
  {
    name: "the profile's name for the channel",
    body: { decision: "approve", gateway: "wechat" },
    status: 400,
    code: "parameter_invalid",
    param: "gateway",
  },
  {
    name: "less than the order's amount without a confirmation",
    body: { decision: "approve", gateway: "alipay", received_amount_minor: 9899 },
    status: 409,
    code: "shortfall_unconfirmed",
    param: "confirm_shortfall_minor",
  },
  {
    name: "more than the order's amount without a confirmation",
    body: { decision: "approve", gateway: "alipay", received_amount_minor: 99_999_999_999 },
    status: 400,
    code: "parameter_missing",
    param: "confirm_excess_minor",
  },
  {
    name: "a date in the future",
    body: { decision: "approve", gateway: "alipay", paid_at: "2026-11-21T08:00:00Z" },
    status: 400,
    code: "parameter_invalid",
    param: "paid_at",
  },
  {
    name: "the other channel than the one that was begun",
    body: { decision: "approve", gateway: "alipay" },
    given: started,
    status: 400,
    code: "parameter_conflict",
    param: "gateway",
  },
  {
    name: "a reason that is none",
    body: { decision: "reject", reason_code: "mood" },
    status: 400,
    code: "parameter_invalid",
    param: "reason_code",
  },
  {
    name: "a second reviewer",
    given: afterwards(async (shop, order_id) => {
      await reportPayment(app.ctx, shop, { order_id, gateway: "wechatpay" });
      await app.api(shop.key).post(path(shop, order_id, "verification"), { decision: "approve" });
    }),
    status: 409,
    code: "review_exists",
  },
]);

test("a new link replaces the old one and can revive an expired order", async () => {
  const shop = await app.tenant();
  const api = app.api(shop.key);
  const made = await createOrder(app.ctx, shop, order);
  await simulatePayment(app.ctx, shop, { order_id: made.order.id, outcome: "expire" });
  const revived = await api.post(path(shop, made.order.id, "payment-link"), { expires_in: 600 });
  expect(revived).toMatchObject({ status: 200, body: { id: made.order.id, status: "unpaid", payment_link: { status: "active" } } });
  expect(revived.body.payment_link.token).not.toBe(made.link?.token);
  expect(await api.delete(path(shop, made.order.id, "payment-link"))).toMatchObject({
    status: 200,
    body: { id: revived.body.payment_link.id, object: "payment_link", deleted: true },
  });
  expect((await api.get(`/api/v1/projects/${shop.project_id}/orders/${made.order.id}`)).body.payment_link.status).toBe("revoked");
});

test("approve, cancel and simulate return the order's new state", async () => {
  const shop = await app.tenant();
  const api = app.api(shop.key);
  const reported = await unpaid(shop);
  await reportPayment(app.ctx, shop, { order_id: reported, gateway: "wechatpay" });
  expect(await api.post(path(shop, reported, "verification"), { decision: "approve", external_transaction_id: "42000" })).toMatchObject({
    status: 200,
    body: { status: "paid", flags: ["manually_verified"], amount_received_minor: 9900, latest_payment_session: { status: "succeeded" } },
  });
  expect(await api.post(path(shop, await unpaid(shop), "cancel"))).toMatchObject({
    status: 200,
    body: { status: "canceled", failure_code: "canceled" },
  });
  const simulated = await unpaid(shop);
  expect(await api.post(path(shop, simulated, "simulate-payment"))).toMatchObject({
    status: 200,
    body: { status: "paid", amount_received_minor: 9900 },
  });
  expect((await findOrder(app.ctx, shop, simulated)).order.status).toBe("paid");
});
