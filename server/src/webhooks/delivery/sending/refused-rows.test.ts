import { expect, test } from "vitest";
import { countPutOff, type Tenant } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { refuseRows } from "#test/support/database/refuse-rows.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { localEgress } from "#test/support/network/certificate.ts";
import { type Receiver, receiver } from "#test/support/network/receiver.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { emitSome, endpointAt, handOf } from "#test/support/webhooks/webhook-world.ts";
import { listDeliveryStates } from "#test/support/webhooks/webhooks.sql.ts";
import { fanOut } from "../../index.ts";

const app = await testApp({ egress: await localEgress(), startsAt: new Date().toISOString() });
const { ctx } = app;
const hand = handOf(ctx);

/** A merchant with an endpoint that one event is for. */
async function merchant(): Promise<{ tenant: Tenant; shop: Receiver; id: string }> {
  const [tenant, shop] = [await app.tenant(), await receiver()];
  const { id } = await endpointAt(ctx, tenant, shop.url, ["order.paid"]);
  await emitSome(ctx, tenant);
  return { tenant, shop, id };
}
const statesOf = async (...merchants: { tenant: Tenant }[]) =>
  (await Promise.all(merchants.map(({ tenant }) => listDeliveryStates(ctx.db, tenant)))).flat().map(({ state }) => state);

test("an endpoint whose secret can't be opened keeps no other endpoint's deliveries from being sent", async () => {
  const [odd, other] = [await merchant(), await merchant()];
  const foreign = "update webhook_endpoints set secret = (select secret from webhook_endpoints where id = ?) where id = ?";
  await runStatement(ctx.db, foreign, other.id, odd.id);
  await hand.deliver();
  expect([odd.shop.received.length, other.shop.received.length]).toEqual([0, 1]);
  expect(await statesOf(odd, other)).toEqual(["due", "succeeded"]);
  expect(countPutOff(ctx.db, "deliver_webhooks")).toBe(1);
});

test("a result that can't be stored keeps no other result from being stored", async () => {
  const [odd, other] = [await merchant(), await merchant()];
  while ((await fanOut(ctx)) > 0);
  await hand.sender.run(ctx);
  await eventually("both were sent", () => odd.shop.received.length + other.shop.received.length === 2);
  const allow = await refuseRows(app, "webhook_deliveries", { ids: [odd.id], column: "endpoint_id" });
  await hand.sender.finish(ctx);
  expect(await statesOf(odd, other)).toEqual(["leased", "succeeded"]);
  await allow();
});
