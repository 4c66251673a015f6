import { expect, test } from "vitest";
import { findCredential } from "#gateways/index.ts";
import { auditLedger } from "#ledger/index.ts";
import { auditBooks, findRefund, refundOrder } from "#orders/index.ts";
import { findOrderRow } from "#orders/rows/orders.sql.ts";
import { listExceptions } from "#reconciliation/index.ts";
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

async function paidShop(slug: string, account: string) {
  const provider = of(slug);
  const shop = await simulatedShop(app, { provider, account });
  const { order, session } = await shop.started();
  await provider.enter((world) => provider.simulator.simulate(world, { reference: session.id, outcome: "paid" }));
  await post(app, await shop.callbackOf(session.id));
  const request = () => refundOrder(ctx, shop.tenant, { order_id: order.id, amount_minor: part });
  return { provider, shop, order, refundParts: (parts: number) => Promise.all(Array.from({ length: parts }, request)) };
}

test.each([
  { slug: "razorpay", rule: "makes one refund of a payment at a time", within: "40 minutes", steps: count },
  { slug: "wechatpay_merchant", rule: "leaves a minute between refunds of a payment", within: "40 minutes", steps: count },
  { slug: "mollie", rule: "refuses equal refunds of a payment within an hour", within: "8 hours", steps: count * hourSteps },
])("of 8 equal refunds at once through $slug, which $rule, each is made once within $within, and none fails", async ({ slug, steps }) => {
  const { provider, shop, order, refundParts } = await paidShop(slug, "shop");
  const requested = await refundParts(count);
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

test.each(["razorpay", "wechatpay_merchant", "mollie"])(
  "buyers still pay through %s while it asks to wait with eleven of twelve refunds of a payment",
  async (slug) => {
    const { shop, refundParts } = await paidShop(slug, "shop 2");
    const refunds = await refundParts(12);
    expect(refunds.filter(({ gateway_refund_id }) => gateway_refund_id === null)).toHaveLength(11);
    const account = await findCredential(ctx, shop.tenant, { gateway: slug, id: shop.credential.id });
    expect(account).toMatchObject({ is_paused: false, consecutive_failures: 0 });
    expect((await shop.started()).session).toMatchObject({ status: "pending", gateway: slug });
  },
);

test("after all of these tests the books agree", async () => {
  expect(await auditBooks(ctx)).toEqual([]);
  expect((await auditLedger(ctx)).faults).toEqual([]);
});
