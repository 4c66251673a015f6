import { afterEach, expect, test } from "vitest";
import { createLeaseNames } from "#platform/index.ts";
import { type TestTenant, testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { localEgress } from "#test/support/network/certificate.ts";
import { loseWorker } from "#test/support/webhooks/lost-workers.ts";
import { emitSome, endpointAt } from "#test/support/webhooks/webhook-world.ts";
import { listDeliveryStates } from "#test/support/webhooks/webhooks.sql.ts";
import { changeEndpoint, fanOut, reviveExpired } from "../../index.ts";
import { claimAlone, claimDue } from "./claim-due.ts";
import { maxInFlight } from "./in-flight.ts";

const app = await testApp({ egress: await localEgress() });
const { ctx } = app;

const clear: (() => Promise<unknown>)[] = [];
// What one test leaves owed or leased is not for the next one's processes, nor are its deaths of workers.
afterEach(async () => {
  for (const disable of clear.splice(0)) await disable();
  app.clock.advance(600_000);
  await reviveExpired(ctx);
});

/** A project with an endpoint that is owed so many deliveries. */
async function owing(count: number): Promise<TestTenant> {
  const tenant = await app.tenant();
  const { id } = await endpointAt(ctx, tenant, "https://127.0.0.1:1/");
  clear.push(() => changeEndpoint(ctx, tenant, { id, if_version: null, status: "disabled" }));
  await owe(tenant, count);
  return tenant;
}

async function owe(tenant: TestTenant, count: number): Promise<void> {
  await emitSome(ctx, tenant, count);
  await fanOut(ctx);
}

/** A process that claims, and sends nothing. */
function claimer() {
  const names = createLeaseNames();
  const claim = () => ({ holder: names.holder(ctx), lease: names.next(ctx) });
  const idle = { full: [], held: { slots: 0, waiting: 0, byProject: new Map() }, batchLimitOf: () => 64 };
  return {
    due: () => ctx.transact((tx) => claimDue(tx, ctx, { ...claim(), ...idle })),
    alone: async () => (await ctx.transact((tx) => claimAlone(tx, ctx, claim()))).map(({ event_id }) => event_id),
  };
}

async function owed(tenant: TestTenant): Promise<string[]> {
  return (await listDeliveryStates(ctx.db, tenant)).map(({ event_id }) => event_id);
}

test("a delivery that is sent alone is sent even if its endpoint always has others in progress, and none waits behind it", async () => {
  const [busy, quiet] = [await owing(1), await owing(1)];
  const [suspects, others] = [await owed(busy), await owed(quiet)];
  for (let death = 0; death < 2; death += 1) await loseWorker(app);
  await owe(busy, 2 * maxInFlight);
  const [first, second] = [claimer(), claimer()];
  expect(await first.due()).toHaveLength(maxInFlight);
  // The first process keeps the limit of five itself; for the second one, the endpoint has no room.
  expect([await second.alone(), await second.alone()]).toEqual([others, []]);
  expect([await first.alone(), await first.alone()]).toEqual([suspects, []]);
});

test("processes that share an endpoint never have more than five of its deliveries, including those that are sent alone", async () => {
  const tenant = await owing(3);
  for (let death = 0; death < 2; death += 1) await loseWorker(app);
  await owe(tenant, maxInFlight - 1);
  const [first, second] = [claimer(), claimer()];
  expect(await first.due()).toHaveLength(maxInFlight - 1);
  expect([await second.alone(), await second.alone()]).toEqual([[expect.any(String)], []]);
});

test("an endpoint whose secret can't be opened keeps no other one's delivery that is sent alone from being sent", async () => {
  const [odd, other] = [await owing(1), await owing(1)];
  for (let death = 0; death < 2; death += 1) await loseWorker(app);
  const foreign = "update webhook_endpoints set secret = (select secret from webhook_endpoints where project_id = ?) where project_id = ?";
  await runStatement(ctx.db, foreign, other.project_id, odd.project_id);
  const earlier = "update webhook_deliveries set due_at = due_at - interval '1 second' where project_id = ?";
  await runStatement(ctx.db, earlier, odd.project_id);
  const worker = claimer();
  const claimed: string[] = [];
  for (let claims = 0; claims < 4; claims += 1) claimed.push(...(await worker.alone()));
  expect(claimed).toEqual(await owed(other));
});
