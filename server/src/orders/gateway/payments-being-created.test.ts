import { expect, test } from "vitest";
import { listEventsOf } from "#events/sql.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { type GatewayShop, gatewayShop, pollDue } from "#test/support/gateways/scripted/gateway-shop.ts";
import { payingGateway } from "#test/support/gateways/scripted/paying-gateway.ts";
import { startPayment } from "../payment/start-payment.ts";
import { findGatewayPayment } from "../rows/gateway-payments.sql.ts";
import { listSessionRows } from "../rows/sessions.sql.ts";
import { watchPayments } from "./process-payments.ts";

const gateway = payingGateway();
const app = await testApp({ gateways: { adapters: [gateway.adapter] } });
const { ctx, clock } = app;

const ordered = async () => {
  const shop = await gatewayShop(app);
  await shop.account("tp_a");
  return { shop, ...(await shop.order()) };
};
const start = (shop: GatewayShop, order_id: string) => startPayment(ctx, shop.tenant, { order_id, gateway: "testpay" });
const eventsOf = async (shop: GatewayShop, id: string) =>
  (await listEventsOf(ctx.db, shop.tenant, { object_id: id, after: null, limit: 100 })).map(({ event }) => event).toReversed();
const sessions = (shop: GatewayShop, id: string) => listSessionRows(ctx.db, shop.tenant, [id]);
/** Plays what happens while the provider works on the first request for a payment. */
const duringCreate = async <T>(happens: (reference: string) => Promise<unknown>, work: () => Promise<T>): Promise<T> => {
  let isFirst = true;
  gateway.meanwhile = async (verb, reference) => {
    if (verb !== "create" || !isFirst) return;
    isFirst = false;
    await happens(reference);
  };
  return work().finally(() => {
    gateway.meanwhile = null;
  });
};

test("a payment whose request is on its way is not taken for missing, however long its page is open meanwhile", async () => {
  const { shop, order, token } = await ordered();
  const watch = async () => {
    for (let second = 0; second < 60; second += 1, clock.advance(1_000)) {
      if (second % 20 === 0) await watchPayments(ctx, [order]);
      if (second % 15 === 0) await app.api().get(`/pay/${token}?back=paid`, { headers: { accept: "text/html" } });
      await pollDue(app);
    }
  };
  const { session } = await duringCreate(watch, () => start(shop, order.id));
  expect(session).toMatchObject({ status: "pending", method_data: { next_action: { type: "redirect" } } });
  expect(await eventsOf(shop, order.id)).toEqual(["order.created", "payment.session.created"]);
});

test("a payment whose request is on its way survives another tap that the provider refuses", async () => {
  const { shop, order } = await ordered();
  const tapAgain = async (reference: string) => {
    gateway.fault("create", { kind: "declined", code: "in_use", of: reference });
    await expect(start(shop, order.id)).rejects.toMatchObject({ code: "gateway_timeout" });
    await watchPayments(ctx, [order]);
    clock.advance(2_000);
    await pollDue(app);
  };
  const { session } = await duringCreate(tapAgain, () => start(shop, order.id));
  expect(session).toMatchObject({ status: "pending" });
  expect(await findGatewayPayment(ctx.db, shop.tenant, session.id)).toMatchObject({ status: "open" });
  expect(await eventsOf(shop, order.id)).toEqual(["order.created", "payment.session.created"]);
});

test.each([
  { name: "with its page open", isWatched: (second: number) => second % 20 === 0 },
  { name: "with its page closed soon", isWatched: (second: number) => second === 0 },
])("a payment whose response was lost doesn't free its order before the request must have ended, $name", async ({ isWatched }) => {
  const { shop, order } = await ordered();
  gateway.fault("create", { kind: "unknown_outcome" });
  await expect(start(shop, order.id)).rejects.toMatchObject({ code: "gateway_timeout" });
  const failedAt: number[] = [];
  for (let second = 0; second < 240 && failedAt.length === 0; second += 1, clock.advance(1_000)) {
    if (isWatched(second)) await watchPayments(ctx, [order]);
    await pollDue(app);
    const [session] = await sessions(shop, order.id);
    if (session?.status !== "pending") failedAt.push(second);
  }
  expect(await sessions(shop, order.id)).toMatchObject([{ status: "failed", failure_code: "not_created" }]);
  expect(failedAt[0]).toBeGreaterThanOrEqual(179);
  expect(failedAt[0]).toBeLessThanOrEqual(200);
});

test("a payment whose process was killed is found to be missing after 5 minutes, with its page open or not", async () => {
  const { shop, order } = await ordered();
  const killed: typeof ctx = {
    ...ctx,
    transactUnclaimed: (work) => {
      if (gateway.countOf("create") > before) throw new Error("killed");
      return ctx.transactUnclaimed(work);
    },
  };
  const before = gateway.countOf("create");
  await expect(startPayment(killed, shop.tenant, { order_id: order.id, gateway: "testpay" })).rejects.toThrow("killed");
  const [session] = await sessions(shop, order.id);
  gateway.payments.delete(session?.id ?? "");
  for (let second = 0; second < 295; second += 5, clock.advance(5_000)) {
    if (second % 20 === 0) await watchPayments(ctx, [order]);
    await pollDue(app);
  }
  clock.advance(3_000);
  await pollDue(app);
  clock.advance(1_000);
  expect(await sessions(shop, order.id)).toMatchObject([{ status: "pending" }]);
  clock.advance(2_000);
  await pollDue(app);
  expect(await sessions(shop, order.id)).toMatchObject([{ status: "failed", failure_code: "not_created" }]);
});
