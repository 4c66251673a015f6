import { expect, test } from "vitest";
import { openDatabase } from "#platform/index.ts";
import { contextOn } from "#test/support/app/context.ts";
import { patience, testApp } from "#test/support/app/test-app.ts";
import { localEgress } from "#test/support/network/certificate.ts";
import { receiver } from "#test/support/network/receiver.ts";
import { emitSome, endpointAt, handOf } from "#test/support/webhooks/webhook-world.ts";
import { countNotices, listDeliveryStates } from "#test/support/webhooks/webhooks.sql.ts";
import { startWorkers } from "#workers/index.ts";
import { changeEndpoint, fanOut, findEndpoint, watchFailing } from "../index.ts";

const egress = await localEgress();
const app = await testApp({ egress });
const { ctx, clock } = app;

/** A separate process, as far as the database can tell. */
function anotherProcess() {
  const database = openDatabase({ url: app.url, max: 4, applicationName: "tillpost-test-worker", ...patience });
  return { database, ctx: contextOn(database, { now: () => new Date(), files: ctx.files, egress }) };
}

test("a merchant is notified of a failing endpoint after a day and after three; after five without one success it is disabled", async () => {
  clock.set(new Date());
  const tenant = await app.tenant();
  const shop = await receiver((_one, response) => response.writeHead(500).end());
  const { id } = await endpointAt(ctx, tenant, shop.url);
  const hand = handOf(ctx);
  await emitSome(ctx, tenant);
  await hand.deliver();
  const reports: Record<string, number>[] = [];
  for (const hours of [23, 2, 46, 2, 46, 2]) {
    clock.advance(hours * 3_600_000);
    await emitSome(ctx, tenant);
    await hand.deliver();
    while ((await watchFailing(ctx)) > 0);
    reports.push(await countNotices(ctx.db));
  }
  expect(reports).toEqual([
    {},
    { "webhook.failing": 1 },
    { "webhook.failing": 1 },
    { "webhook.failing": 2 },
    { "webhook.failing": 2 },
    { "webhook.disabled": 1, "webhook.failing": 2 },
  ]);
  expect(await findEndpoint(ctx, tenant, id)).toMatchObject({ status: "disabled", disabled_reason: "failing" });
  expect(await changeEndpoint(ctx, tenant, { id, if_version: null, status: "enabled" })).toMatchObject({
    status: "enabled",
    disabled_reason: null,
    failing_since: null,
    warnings: 0,
  });
});

test("two workers never send one endpoint more than five concurrently, and each event once", async () => {
  const tenant = await app.tenant();
  let open = 0;
  let most = 0;
  const shop = await receiver((_one, response) => {
    most = Math.max(most, (open += 1));
    setTimeout(() => {
      open -= 1;
      response.end();
    }, 20);
  });
  await endpointAt(ctx, tenant, shop.url);
  const processes = [anotherProcess(), anotherProcess()];
  clock.run();
  await emitSome(ctx, tenant, 60);
  const running = processes.map((one) => startWorkers(one.ctx));
  await shop.until(60);
  await Promise.all(running.map((workers) => workers.stop()));
  await Promise.all(processes.map((one) => one.database.close()));
  expect(most).toBeLessThanOrEqual(5);
  expect(new Set(shop.received.map((one) => one.headers["webhook-id"])).size).toBe(60);
  expect(shop.received).toHaveLength(60);
  expect((await listDeliveryStates(ctx.db, tenant)).every((one) => one.state === "succeeded" && one.attempts === 1)).toBe(true);
});

test("numbers follow the order of commits, whichever process assigns them", async () => {
  const tenant = await app.tenant();
  const processes = [anotherProcess(), anotherProcess(), anotherProcess()];
  const shop = await receiver();
  await endpointAt(ctx, tenant, shop.url);
  await Promise.all(Array.from({ length: 40 }, () => emitSome(ctx, tenant, 3)));
  for (let left = 1; left > 0; )
    left = (await Promise.all(processes.map((one) => fanOut(one.ctx, 7)))).reduce((sum, count) => sum + count, 0);
  await Promise.all(processes.map((one) => one.database.close()));
  expect(await listDeliveryStates(ctx.db, tenant)).toHaveLength(120);
});
