import { expect, test } from "vitest";
import { auditLedger } from "#ledger/index.ts";
import { auditBooks, findRefund, refundOrder } from "#orders/index.ts";
import { listExceptions } from "#reconciliation/index.ts";
import { post, simulatedApp, simulatedShop } from "#test/support/gateways/contract/simulated-app.ts";
import { compareDays } from "#test/support/gateways/scripted/compare-days.ts";

const { app, of } = await simulatedApp();
const { ctx } = app;

test("a refund that Stripe paid out, and that came back on the same day, is no difference of its list", async () => {
  const provider = of("stripe");
  const { enter, simulator, sent } = provider;
  const shop = await simulatedShop(app, { provider, account: "returned" });
  const { order, session } = await shop.started();
  await enter((world) => simulator.simulate(world, { reference: session.id, outcome: "paid" }));
  await post(app, await shop.callbackOf(session.id));
  const refund = await refundOrder(ctx, shop.tenant, { order_id: order.id, amount_minor: 30_000 });
  const before = sent.length;
  await enter((world) => simulator.simulateRefund(world, { refundReference: refund.id, outcome: "failed_later" }));
  for (const callback of sent.slice(before)) await post(app, callback);
  expect(await findRefund(ctx, shop.tenant, refund.id)).toMatchObject({ status: "failed" });
  await compareDays(app, 3);
  expect((await listExceptions(ctx, shop.tenant, { limit: 9, filters: {} })).rows).toEqual([]);
  expect(await auditBooks(ctx)).toEqual([]);
  expect((await auditLedger(ctx)).faults).toEqual([]);
});
