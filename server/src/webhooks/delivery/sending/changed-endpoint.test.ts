import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { localEgress } from "#test/support/network/certificate.ts";
import { receiver } from "#test/support/network/receiver.ts";
import { emitSome, endpointAt, handOf } from "#test/support/webhooks/webhook-world.ts";
import { listDeliveryStates } from "#test/support/webhooks/webhooks.sql.ts";
import { changeEndpoint, createSender, fanOut, findEndpoint, listAttempts, reviveExpired } from "../../index.ts";
import { leaseMs } from "./claim-due.ts";

const app = await testApp({ egress: await localEgress(), startsAt: new Date().toISOString() });
const { ctx, clock } = app;
const hand = handOf(ctx);

test.each([410, 500, 200])("a %s from an earlier address neither changes nor disables the endpoint", async (status) => {
  const tenant = await app.tenant();
  const open: (() => void)[] = [];
  const former = await receiver(({ path }, response) => {
    if (path === "/new") response.end();
    else open.push(() => response.writeHead(status).end());
  });
  const { id } = await endpointAt(ctx, tenant, former.url);
  await emitSome(ctx, tenant);
  await fanOut(ctx);
  const sender = createSender();
  await sender.run(ctx);
  await former.until(1);
  const changed = await changeEndpoint(ctx, tenant, { id, if_version: null, url: `${former.url}/new` });
  for (const answer of open) answer();
  await sender.finish(ctx);
  const { rows } = await listAttempts(ctx, tenant, { endpoint_id: id, limit: 10 });
  expect(rows).toMatchObject([{ response_status: status, url: former.url }]);
  expect(await findEndpoint(ctx, tenant, id)).toEqual(changed);
});

/** An endpoint that has shown that it is healthy and is owed a hundred events; five requests are held open, the other leased ones wait. */
async function claimed() {
  const tenant = await app.tenant();
  const open: (() => void)[] = [];
  let isHealthy = true;
  const shop = await receiver((_one, response) => {
    if (isHealthy) response.end();
    else open.push(() => response.writeHead(500).end());
  });
  const { id } = await endpointAt(ctx, tenant, shop.url);
  await emitSome(ctx, tenant);
  await hand.deliver();
  isHealthy = false;
  await emitSome(ctx, tenant, 100);
  await fanOut(ctx);
  const sender = createSender();
  await sender.run(ctx);
  await shop.until(6);
  const states = async () => (await listDeliveryStates(ctx.db, tenant)).map(({ state }) => state);
  expect((await states()).filter((state) => state === "leased").length).toBeGreaterThan(5);
  await changeEndpoint(ctx, tenant, { id, if_version: null, events: ["order.failed"] });
  const answer = () => {
    for (const one of open) one();
  };
  const attempts = async () => (await listAttempts(ctx, tenant, { endpoint_id: id, limit: 100 })).rows;
  return { shop, sender, states, answer, attempts };
}

const allSkipped = ["succeeded", ...Array<string>(100).fill("skipped")];

test("what was claimed when an endpoint unsubscribed is neither sent nor tried again", async () => {
  const { shop, sender, states, answer, attempts } = await claimed();
  await sender.run(ctx);
  answer();
  await sender.finish(ctx);
  expect(await states()).toEqual(allSkipped);
  clock.advance(6_000);
  await hand.deliver();
  expect(shop.received).toHaveLength(6);
  const failed = (await attempts()).filter(({ status }) => status === "failed");
  expect(failed.map(({ next_attempt_at }) => next_attempt_at)).toEqual(Array(5).fill(null));
});

test("what a lost worker had claimed when an endpoint unsubscribed isn't tried again", async () => {
  const { shop, sender, states, answer, attempts } = await claimed();
  clock.advance(leaseMs + 1_000);
  await reviveExpired(ctx);
  expect(await states()).toEqual(allSkipped);
  clock.advance(60_000);
  await hand.deliver();
  expect(shop.received).toHaveLength(6);
  const lost = (await attempts()).filter(({ error_code }) => error_code === "worker_lost");
  expect(new Set(lost.map(({ next_attempt_at }) => next_attempt_at))).toEqual(new Set([null]));
  answer();
  await sender.finish(ctx);
  expect(await states()).toEqual(allSkipped);
});
