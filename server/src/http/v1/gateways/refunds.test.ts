import { beforeEach, expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { payingGateway } from "#test/support/gateways/scripted/paying-gateway.ts";
import { type RefundShop, refundShop } from "#test/support/gateways/scripted/refund-shop.ts";

const gateway = payingGateway();
const app = await testApp({ gateways: { adapters: [gateway.adapter] } });

let shop: RefundShop;
beforeEach(async () => {
  gateway.refundsBegin = {};
  shop = await refundShop(app, gateway);
});

const pathOf = (orderId: string) => `/api/v1/projects/${shop.tenant.project_id}/orders/${orderId}/refunds`;
const post = (orderId: string, body: object, key?: string) =>
  app.api(shop.tenant.key).post(pathOf(orderId), body, key === undefined ? {} : { headers: { "idempotency-key": key } });

test("a refund through a provider is returned with its current state, and made once under its key, however often it is requested", async () => {
  const { order, session } = await shop.paid();
  gateway.refundsBegin = { state: "requires_action", claimUrl: "https://btc.example/1" };
  const made = await post(order.id, { amount_minor: 900, reason: "duplicate" }, "once");
  expect(made).toMatchObject({
    status: 201,
    body: {
      ...{
        object: "refund",
        method: "gateway",
        status: "requires_action",
        gateway: "testpay",
        payment_session_id: session.id,
        amount_minor: 900,
      },
      next_action: { type: "redirect", url: "https://btc.example/1" },
      created_by: shop.tenant.key_id,
    },
  });
  const again = await post(order.id, { amount_minor: 900, reason: "duplicate" }, "once");
  expect([again.status, again.body, again.headers["idempotent-replayed"]]).toEqual([201, made.body, "true"]);
  expect((await post(order.id, { amount_minor: 901 }, "once")).body.error.code).toBe("idempotency_key_reused");
  expect(await shop.refunds(order.id)).toHaveLength(1);
});

test("concurrent requests with one key refund once", async () => {
  const { order } = await shop.paid();
  const answers = await Promise.all(Array.from({ length: 8 }, () => post(order.id, { amount_minor: 900 }, "at-once")));
  for (const { status, body } of answers)
    expect([status, body.error?.code]).toEqual(status === 201 ? [201, undefined] : [409, "idempotency_key_in_use"]);
  const [id, ...others] = new Set(answers.flatMap(({ status, body }) => (status === 201 ? [body.id as string] : [])));
  expect(others).toEqual([]);
  // Two that ask at the same moment could make two refunds of one, where a provider knows no repeats.
  expect(gateway.calls.filter(({ reference }) => reference === id).map(({ verb }) => verb)).toEqual(["refund"]);
  expect(await shop.sums(order.id)).toMatchObject({ refunded: 900, refunding: 0 });
});

test("what the provider refuses is 502 with its code, and the same key tries again", async () => {
  const { order } = await shop.paid();
  gateway.fault("refund", { kind: "declined", code: "insufficient_balance" });
  const refused = await post(order.id, {}, "retry");
  const [failed] = await shop.refunds(order.id);
  expect(refused).toMatchObject({
    status: 502,
    body: { error: { type: "gateway_error", code: "gateway_error", gateway_code: "insufficient_balance", refund_id: failed?.id } },
  });
  expect(await post(order.id, {}, "retry")).toMatchObject({ status: 201, body: { status: "succeeded", amount_minor: 9_900 } });
});

test("an exception's money is refunded through its provider, by the same route as any other decision", async () => {
  await shop.paid({}, { paid: { amount_minor: 10_900, currency: "CNY" } });
  const [held] = await shop.cases();
  const path = `/api/v1/projects/${shop.tenant.project_id}/exceptions/${held?.id}/resolve`;
  gateway.fault("refund", { kind: "declined", code: "no_balance" });
  expect(await app.api(shop.tenant.key).post(path, { action: "refund" })).toMatchObject({
    status: 502,
    body: { error: { gateway_code: "no_balance" } },
  });
  const resolved = await app.api(shop.tenant.key).post(path, { action: "refund", refund: { reason: "duplicate" }, note: "too much" });
  expect(resolved).toMatchObject({ status: 200, body: { status: "resolved", resolution: "refund" } });
  const refunds = await app.api(shop.tenant.key).get(`/api/v1/projects/${shop.tenant.project_id}/refunds?status=succeeded`);
  expect(refunds.body.data).toMatchObject([
    { exception_id: held?.id, method: "gateway", amount_minor: 1_000, reason: "duplicate", note: "too much" },
  ]);
});

test("no one can mark a provider's refund as failed", async () => {
  const { order } = await shop.paid();
  const made = await post(order.id, {});
  const path = `/api/v1/projects/${shop.tenant.project_id}/refunds/${made.body.id}/fail`;
  expect(await app.api(shop.tenant.key).post(path, { failure_code: "returned" })).toMatchObject({
    status: 409,
    body: { error: { code: "order_state_conflict" } },
  });
});
