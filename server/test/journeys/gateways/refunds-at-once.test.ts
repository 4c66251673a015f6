import { expect, test } from "vitest";
import { auditLedger } from "#ledger/index.ts";
import { auditBooks, findRefund, listExceptions, refundOrder } from "#orders/index.ts";
import { findOrderRow } from "#orders/rows/orders.sql.ts";
import { post, type SimulatedShop, simulatedApp, simulatedShop } from "#test/support/gateways/contract/simulated-app.ts";
import { pollDueRefunds } from "#test/support/gateways/scripted/gateway-shop.ts";

const { app, of } = await simulatedApp();
const { ctx } = app;
const fiveMinutesMs = 300_000;
const hourSteps = 12;
const dayMs = 86_400_000;
const part = 10_000;
const count = 8;

/** Steps of this length pass, after each of which the workers query what is due, and leave nothing to a person. */
async function pass({ tenant }: SimulatedShop, steps: number, stepMs: number): Promise<void> {
  for (let step = 0; step < steps; step += 1) {
    app.clock.advance(stepMs);
    await pollDueRefunds(app);
    expect((await listExceptions(ctx, tenant, { limit: 9, filters: {} })).rows).toEqual([]);
  }
}

test.each([
  { slug: "razorpay", rule: "makes one refund of a payment at a time", within: "40 minutes", steps: count },
  { slug: "mollie", rule: "refuses equal refunds of a payment within an hour", within: "8 hours", steps: count * hourSteps },
])("of 8 equal refunds at once through $slug, which $rule, each is made once within $within, and none fails", async ({ slug, steps }) => {
  const provider = of(slug);
  const shop = await simulatedShop(app, { provider, account: "shop" });
  const { order, session } = await shop.started();
  await provider.enter((world) => provider.simulator.simulate(world, { reference: session.id, outcome: "paid" }));
  await post(app, await shop.callbackOf(session.id));
  const request = () => refundOrder(ctx, shop.tenant, { order_id: order.id, amount_minor: part });
  const requested = await Promise.all(Array.from({ length: count }, request));
  const refunds = () => Promise.all(requested.map(({ id }) => findRefund(ctx, shop.tenant, id)));
  expect(new Set(requested.map(({ status }) => status))).toEqual(new Set(["pending"]));
  expect(requested.filter(({ gateway_refund_id }) => gateway_refund_id !== null)).toHaveLength(1);
  await pass(shop, steps, fiveMinutesMs);
  const ids = (await refunds()).map(({ gateway_refund_id }) => gateway_refund_id);
  expect([ids.includes(null), new Set(ids).size]).toEqual([false, count]);
  for (const { id } of requested)
    await provider.enter((world) => provider.simulator.simulateRefund(world, { refundReference: id, outcome: "succeeded" }));
  await pass(shop, 2, dayMs);
  expect(new Set((await refunds()).map(({ status }) => status))).toEqual(new Set(["succeeded"]));
  expect(await findOrderRow(ctx.db, shop.tenant, order.id)).toMatchObject({
    amount_refunded_minor: count * part,
    amount_refunding_minor: 0,
  });
});

test("after all of these tests the books agree", async () => {
  expect(await auditBooks(ctx)).toEqual([]);
  expect((await auditLedger(ctx)).faults).toEqual([]);
});
