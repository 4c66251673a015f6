import { describe, expect, test } from "vitest";
import { openDatabase } from "#platform/index.ts";
import { contextOn } from "#test/support/app/context.ts";
import { patience, testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { localEgress } from "#test/support/network/certificate.ts";
import { freePort } from "#test/support/network/free-port.ts";
import { receiver } from "#test/support/network/receiver.ts";
import { backlogCount, backlogsIn } from "#test/support/webhooks/backlogs.ts";
import { emitSome, endpointAt, handOf, reportTo } from "#test/support/webhooks/webhook-world.ts";
import { insertFailedAttempt, listDeliveryStates, listEndpointIds } from "#test/support/webhooks/webhooks.sql.ts";
import { findEndpoint, listEndpoints, removeEndpoint, replayEvents, tidyDeliveries, watchFailing } from "../index.ts";

const app = await testApp({ egress: await localEgress(), startsAt: new Date().toISOString() });
const { ctx, clock } = app;
const hand = handOf(ctx);
const backlog = backlogsIn(app);
const day = 86_400_000;
const tidy = async () => {
  while ((await tidyDeliveries(ctx)) > 0);
};

test("receivers of callbacks and deleted endpoints are deleted with the last of their history, and not before", async () => {
  const tenant = await app.tenant();
  const shop = await receiver();
  const [kept, deleted] = [await endpointAt(ctx, tenant, shop.url), await endpointAt(ctx, tenant, shop.url)];
  await reportTo(ctx, tenant, `${shop.url}/one`);
  await hand.deliver();
  await removeEndpoint(ctx, tenant, deleted.id);
  clock.advance(34 * day);
  await tidy();
  expect(await listEndpointIds(ctx.db, tenant)).toHaveLength(3);
  clock.advance(2 * day);
  await tidy();
  expect(await listDeliveryStates(ctx.db, tenant)).toEqual([]);
  expect(await listEndpointIds(ctx.db, tenant)).toEqual([kept.id]);
  expect((await listEndpoints(ctx, tenant)).map((one) => one.id)).toEqual([kept.id]);
  await reportTo(ctx, tenant, `${shop.url}/two`);
  await hand.deliver();
  expect(shop.received.map((one) => one.path)).toContain("/two");
});

describe("an endpoint with more pending deliveries than one statement skips", () => {
  test("is disabled with a portion of them; enabled again, it gets what is replayed and what is new", async () => {
    const { tenant, shop, skipped, enable, id } = await backlog();
    await enable("disabled");
    expect(await skipped()).toBe(1_000);
    await enable("enabled");
    clock.advance(1);
    await emitSome(ctx, tenant, 3);
    await hand.deliver();
    expect(shop.received).toEqual([]);
    await replayEvents(ctx, tenant, { endpoint_id: id, since: new Date(ctx.now().getTime() - 60_000), events: ["order.failed"] });
    await tidy();
    expect((await listDeliveryStates(ctx.db, tenant)).map((one) => one.state)).toEqual(Array(backlogCount + 3).fill("due"));
    clock.advance(60_000);
    await hand.deliver();
    const arrived = shop.received.map((one) => JSON.parse(one.body.toString()).event);
    expect(arrived.filter((event) => event === "order.paid")).toHaveLength(3);
    expect(arrived).toHaveLength(5);
  });

  test("can be deleted, and an answer of 410 disables it, with a portion of them", async () => {
    const [deleted, gone] = [await backlog(), await backlog(410)];
    await removeEndpoint(ctx, deleted.tenant, deleted.id);
    for (let n = 0; n < 2; n += 1) await hand.deliver();
    expect(await findEndpoint(ctx, gone.tenant, gone.id)).toMatchObject({ status: "disabled", disabled_reason: "gone" });
    expect([await deleted.skipped(), await gone.skipped()]).toEqual([1_000, 1_000]);
    await tidy();
    expect([await deleted.skipped(), deleted.shop.received.length]).toEqual([backlogCount, 0]);
    expect((await gone.skipped()) + gone.shop.received.length).toBe(backlogCount);
  });
});

test("a failing endpoint that can't be disabled right now keeps no other one from being disabled", async () => {
  const failing = async (hours: number) => {
    const tenant = await app.tenant();
    const { id } = await endpointAt(ctx, tenant, (await receiver()).url);
    const since = new Date(ctx.now().getTime() - hours * 3_600_000).toISOString();
    await runStatement(ctx.db, "update webhook_endpoints set failing_since = ? where id = ?", since, id);
    await insertFailedAttempt(ctx.db, tenant, { endpoint_id: id, id: ctx.id("wat"), now: ctx.now() });
    return { tenant, status: async () => (await findEndpoint(ctx, tenant, id)).status };
  };
  const [locked, other] = [await failing(200), await failing(130)];
  const impatient = openDatabase({ url: app.url, max: 1, ...patience, lockMs: 100 });
  const by = contextOn(impatient, { now: () => ctx.now(), files: ctx.files });
  await ctx.transact(async (tx) => {
    await runStatement(tx, "select from projects where id = ? for update", locked.tenant.project_id);
    expect(await watchFailing(by)).toBe(1);
  });
  await impatient.close();
  expect([await locked.status(), await other.status()]).toEqual(["enabled", "disabled"]);
  expect(await watchFailing(ctx)).toBe(1);
  expect(await locked.status()).toBe("disabled");
});

test("an endpoint that has never responded is disabled after five days: nothing more is tried, and what is new is skipped", async () => {
  const tenant = await app.tenant({ livemode: true });
  const { id } = await endpointAt(ctx, tenant, `https://127.0.0.1:${await freePort()}/`);
  for (let hours = 0; hours <= 132; hours += 12) {
    clock.advance(12 * 3_600_000);
    await emitSome(ctx, tenant, 2);
    await hand.deliver();
    await watchFailing(ctx);
  }
  expect(await findEndpoint(ctx, tenant, id)).toMatchObject({ status: "disabled", disabled_reason: "failing", last_success_at: null });
  await emitSome(ctx, tenant, 3);
  await hand.deliver();
  const rows = await listDeliveryStates(ctx.db, tenant);
  expect(rows.filter(({ state }) => state !== "failed" && state !== "skipped")).toEqual([]);
  expect(rows.slice(-3)).toMatchObject(Array(3).fill({ state: "skipped", attempts: 0 }));
});

test("an endpoint that failed and gets nothing more is disabled after five days too", async () => {
  const tenant = await app.tenant();
  const shop = await receiver((_one, response) => response.writeHead(500).end());
  const { id } = await endpointAt(ctx, tenant, shop.url);
  await emitSome(ctx, tenant);
  for (let hours = 0; hours < 24; hours += 1, clock.advance(3_600_000)) await hand.deliver();
  expect(await listDeliveryStates(ctx.db, tenant)).toMatchObject([{ state: "failed" }]);
  clock.advance(4 * day);
  for (let warnings = 0; warnings < 3; warnings += 1) await watchFailing(ctx);
  expect(await findEndpoint(ctx, tenant, id)).toMatchObject({ status: "disabled", disabled_reason: "failing" });
});

test.each([
  [200, "enabled"],
  [500, "disabled"],
])("an endpoint that failed before days of downtime is tried first: after a %i it is %s", async (later, status) => {
  const tenant = await app.tenant({ livemode: true });
  let reply = 500;
  const shop = await receiver((_one, response) => response.writeHead(reply).end());
  const { id } = await endpointAt(ctx, tenant, shop.url);
  await emitSome(ctx, tenant);
  await hand.deliver();
  clock.advance(6 * day);
  reply = later;
  await watchFailing(ctx);
  expect(await findEndpoint(ctx, tenant, id)).toMatchObject({ status: "enabled" });
  await hand.deliver();
  expect(shop.received).toHaveLength(2);
  await watchFailing(ctx);
  expect(await findEndpoint(ctx, tenant, id)).toMatchObject({ status });
});
