import { Webhook as StandardWebhook } from "standardwebhooks";
import { expect, test } from "vitest";
import type { Ctx } from "#platform/index.ts";
import { type TestTenant, testApp } from "#test/support/app/test-app.ts";
import { localEgress } from "#test/support/network/certificate.ts";
import { type Received, receiver } from "#test/support/network/receiver.ts";
import { endpointAt, handOf, reportTo } from "#test/support/webhooks/webhook-world.ts";
import { countNotices, listCallbacks, listDeliveryStates } from "#test/support/webhooks/webhooks.sql.ts";
import {
  findCallbackSecret,
  findEndpoint,
  listEndpoints,
  promoteCallbackSecret,
  pullEvents,
  rollCallbackSecret,
  watchFailing,
} from "../index.ts";

const app = await testApp({ egress: await localEgress(), startsAt: new Date().toISOString() });
const { ctx, clock } = app;
const hand = handOf(ctx);

const report = (tenant: TestTenant, ...urls: (string | null)[]) => reportTo(ctx, tenant, ...urls);
const eventOf = (one: Received): string => JSON.parse(one.body.toString()).id;
const verify = (secret: string | null, { body, headers }: Received) => new StandardWebhook(secret ?? "").verify(body.toString(), headers);

test("an event goes to the URL that its object specified, signed with the project's secret, in addition to the endpoints and with the same bytes", async () => {
  const tenant = await app.tenant();
  const shop = await receiver();
  const { secret } = await rollCallbackSecret(ctx, tenant);
  const endpoint = await endpointAt(ctx, tenant, `${shop.url}/all`);
  await report(tenant, `${shop.url}/one?id=1`, null, `${shop.url}/two`);
  await hand.deliver();
  const at = (path: string) => shop.received.filter((one) => one.path === path);
  expect(shop.received.map((one) => one.path).sort()).toEqual(["/all", "/all", "/all", "/one?id=1", "/two"]);
  const [one] = at("/one?id=1") as [Received];
  verify(secret, one);
  expect(() => verify(endpoint.secret, one)).toThrow();
  expect(at("/all").find((other) => eventOf(other) === eventOf(one))?.body).toEqual(one.body);
  const rows = await listCallbacks(ctx.db, tenant, shop.received.map(eventOf));
  expect(rows.map((row) => [row.url, row.state, row.attempts, row.response_status]).sort()).toEqual([
    [`${shop.url}/one?id=1`, "succeeded", 1, 200],
    [`${shop.url}/two`, "succeeded", 1, 200],
  ]);
  expect(await listCallbacks(ctx.db, await app.tenant(), shop.received.map(eventOf))).toEqual([]);
});

test("receivers of callbacks aren't endpoints: not listed, not found, not counted, not in what the pull API calls undelivered", async () => {
  const tenant = await app.tenant();
  const shop = await receiver((_one, response) => response.writeHead(500).end());
  await report(tenant, shop.url);
  await hand.deliver();
  expect(await listEndpoints(ctx, tenant)).toEqual([]);
  const [owed] = await listDeliveryStates(ctx.db, tenant);
  await expect(findEndpoint(ctx, tenant, owed?.endpoint_id ?? "")).rejects.toMatchObject({ code: "resource_missing" });
  const page = { limit: 10, event: [], created: { gte: null, gt: null, lte: null, lt: null } };
  expect((await pullEvents(ctx, tenant, { ...page, delivery: "undelivered" })).rows).toEqual([]);
  expect((await pullEvents(ctx, tenant, { ...page, delivery: "delivered" })).rows).toHaveLength(1);
  for (let n = 0; n < 16; n += 1) await endpointAt(ctx, tenant, shop.url);
});

test("the first callback creates the secret; environments and projects have their own", async () => {
  const tenants = [await app.tenant(), await app.tenant(), await app.tenant({ livemode: true })];
  const shop = await receiver();
  for (const tenant of tenants) {
    expect(await findCallbackSecret(ctx, tenant)).toMatchObject({ secret: null, secret_last4: null });
    await report(tenant, shop.url);
  }
  await hand.deliver();
  expect(shop.received).toHaveLength(3);
  const ends = await Promise.all(tenants.map(async (tenant) => (await findCallbackSecret(ctx, tenant)).secret_last4));
  expect(new Set(ends).size).toBe(3);
  expect(ends).not.toContain(null);
});

test("the secret rolls over without one refused callback", async () => {
  const tenant = await app.tenant();
  const shop = await receiver();
  const receive = async () => {
    clock.set(new Date());
    await report(tenant, shop.url);
    await hand.deliver();
    return shop.received.at(-1) as Received;
  };
  const { secret: first } = await rollCallbackSecret(ctx, tenant);
  verify(first, await receive());
  const rolled = await rollCallbackSecret(ctx, tenant);
  expect(rolled).toMatchObject({ secret_last4: first?.slice(-4), next_secret_last4: rolled.secret?.slice(-4) });
  const during = await receive();
  for (const secret of [first, rolled.secret]) verify(secret, during);
  const plain = during.headers["x-service-signature"];
  expect(await promoteCallbackSecret(ctx, tenant)).toMatchObject({
    secret: null,
    secret_last4: rolled.secret?.slice(-4),
    next_secret_last4: null,
  });
  const after = await receive();
  for (const secret of [first, rolled.secret]) verify(secret, after);
  expect(after.headers["x-service-signature"]).not.toBe(plain);
});

test("one origin has one breaker, which holds up no endpoint and no other origin", async () => {
  const tenant = await app.tenant();
  const bad = await receiver((_one, response) => response.writeHead(500).end());
  const good = await receiver();
  await endpointAt(ctx, tenant, `${good.url}/endpoint`);
  await report(tenant, ...Array.from({ length: 15 }, (_, n) => `${bad.url}/${n}`));
  for (let n = 0; n < 5; n += 1) await hand.deliver();
  expect(bad.received).toHaveLength(10);
  await report(tenant, `${bad.url}/late`, `${good.url}/callback`);
  for (let n = 0; n < 5; n += 1) await hand.deliver();
  expect(bad.received).toHaveLength(10);
  expect(good.received.filter((one) => one.path === "/callback")).toHaveLength(1);
  expect(good.received.filter((one) => one.path === "/endpoint")).toHaveLength(17);
});

test("a URL that is gone only ends its own callback; nothing is disabled and no one is notified", async () => {
  const tenant = await app.tenant();
  const shop = await receiver((one, response) => response.writeHead(one.path === "/gone" ? 410 : 200).end());
  await report(tenant, `${shop.url}/gone`);
  await hand.deliver();
  await report(tenant, `${shop.url}/there`);
  await hand.deliver();
  expect((await listDeliveryStates(ctx.db, tenant)).map((one) => one.state)).toEqual(["failed", "succeeded"]);
  const before = await countNotices(ctx.db);
  clock.advance(130 * 3_600_000);
  while ((await watchFailing(ctx)) > 0);
  expect(await countNotices(ctx.db)).toEqual(before);
  clock.set(new Date());
});

test("a URL that has moved inside the network isn't reached", async () => {
  const canary = await receiver();
  const port = new URL(canary.url).port;
  const egress = await localEgress({ allow: ["127.0.0.1/32"], resolve: async () => [{ address: "127.0.0.2", family: 4 }] });
  const guarded: Ctx = { ...ctx, egress };
  const tenant = await app.tenant();
  await report(tenant, `https://shop.receiver.example:${port}/`);
  await handOf(guarded).deliver();
  const [owed] = await listDeliveryStates(ctx.db, tenant);
  expect(await listCallbacks(ctx.db, tenant, [owed?.event_id ?? ""])).toMatchObject([
    { state: "due", attempts: 1, error_code: "egress_blocked" },
  ]);
  expect(canary.received).toHaveLength(0);
  await egress.close();
});
