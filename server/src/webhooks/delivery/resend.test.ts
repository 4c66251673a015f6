import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { localEgress } from "#test/support/network/certificate.ts";
import { receiver } from "#test/support/network/receiver.ts";
import { emitSome, endpointAt, handOf } from "#test/support/webhooks/webhook-world.ts";
import { listDeliveryStates } from "#test/support/webhooks/webhooks.sql.ts";
import { createSender, fanOut, listAttempts, replayEvents, retryAttempt, sendTest, tidyDeliveries } from "../index.ts";

const app = await testApp({ egress: await localEgress(), startsAt: new Date().toISOString() });
const { ctx, clock } = app;
const hand = handOf(ctx);
const dayMs = 86_400_000;

/** An attempt of a replay, as listed after the delivery that it belongs to was deleted. */
async function outliving() {
  const tenant = await app.tenant();
  const replies = { status: 200 };
  const shop = await receiver((_one, response) => response.writeHead(replies.status).end());
  const { id: endpoint_id } = await endpointAt(ctx, tenant, shop.url);
  const since = ctx.now();
  await emitSome(ctx, tenant);
  await hand.deliver();
  clock.advance(29 * dayMs);
  await replayEvents(ctx, tenant, { endpoint_id, since, include_delivered: true });
  clock.advance(1_000);
  await hand.deliver();
  clock.advance(7 * dayMs);
  while ((await tidyDeliveries(ctx)) > 0);
  expect(await listDeliveryStates(ctx.db, tenant)).toEqual([]);
  const { rows } = await listAttempts(ctx, tenant, { endpoint_id, limit: 10 });
  expect(rows).toMatchObject([{ attempt: 2, trigger: "replay" }]);
  const retry = () => retryAttempt(ctx, tenant, { endpoint_id, attempt_id: rows[0]?.id ?? "" });
  return { tenant, shop, replies, retry, states: () => listDeliveryStates(ctx.db, tenant) };
}

test("an attempt that outlived its delivery can be resent, and numbers on", async () => {
  const { shop, replies, retry, states } = await outliving();
  replies.status = 500;
  expect(await retry()).toMatchObject({ attempt: 3, trigger: "manual", status: "failed" });
  expect(await states()).toMatchObject([{ state: "failed", attempts: 3 }]);
  replies.status = 200;
  expect(await retry()).toMatchObject({ attempt: 4, status: "succeeded" });
  expect(await states()).toMatchObject([{ state: "succeeded" }]);
  expect(new Set(shop.received.map(({ body }) => body.toString())).size).toBe(1);
});

test("an attempt that outlived its delivery is resent once by a double click", async () => {
  const { shop, retry, states } = await outliving();
  const before = shop.received.length;
  const both = await Promise.allSettled([retry(), retry()]);
  const sent = both.filter(({ status }) => status === "fulfilled").length;
  for (const one of both) if (one.status === "rejected") expect(one.reason).toMatchObject({ code: "concurrency_limited" });
  expect(sent).toBeGreaterThan(0);
  expect(shop.received).toHaveLength(before + sent);
  expect(await states()).toMatchObject([{ state: "succeeded", attempts: 2 + sent }]);
});

test("a replay that is called again continues at the same pace and repeats nothing that it has just delivered", async () => {
  const tenant = await app.tenant();
  const shop = await receiver();
  const { id: endpoint_id } = await endpointAt(ctx, tenant, shop.url);
  const since = ctx.now();
  const replay = () => replayEvents(ctx, tenant, { endpoint_id, since, include_delivered: true });
  await emitSome(ctx, tenant, 5);
  await hand.deliver();
  clock.advance(1_000);
  expect(await replay()).toMatchObject({ scheduled: 5 });
  await emitSome(ctx, tenant, 2);
  clock.advance(60);
  await hand.deliver();
  expect(shop.received).toHaveLength(10);
  expect(await replay()).toMatchObject({ scheduled: 2 });
  const due = (await listDeliveryStates(ctx.db, tenant)).filter(({ state }) => state === "due").map((one) => one.due_at.getTime());
  expect(due.map((at) => at - (due[0] ?? 0))).toEqual([0, 20, 40, 60]);
  clock.advance(1_000);
  await hand.deliver();
  expect(await replay()).toMatchObject({ scheduled: 7 });
});

test("an endpoint with a backlog can be tested, once at a time", async () => {
  const tenant = await app.tenant();
  const open: (() => void)[] = [];
  let isQuick = true;
  const shop = await receiver((_one, response) => {
    if (isQuick) response.end();
    else open.push(() => response.end());
  });
  const { id: endpoint_id } = await endpointAt(ctx, tenant, shop.url);
  await emitSome(ctx, tenant);
  await hand.deliver();
  isQuick = false;
  await emitSome(ctx, tenant, 100);
  await fanOut(ctx);
  const sender = createSender();
  await sender.run(ctx);
  await shop.until(6);
  const tested = sendTest(ctx, tenant, { endpoint_id });
  await shop.until(7);
  await expect(sendTest(ctx, tenant, { endpoint_id })).rejects.toMatchObject({ code: "concurrency_limited" });
  isQuick = true;
  for (const answer of open) answer();
  expect(await tested).toMatchObject({ status: "succeeded", trigger: "test" });
  await sender.finish(ctx);
});
