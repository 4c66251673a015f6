import { afterEach, expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { localEgress } from "#test/support/network/certificate.ts";
import { type Reply, receiver } from "#test/support/network/receiver.ts";
import { eventually, turns } from "#test/support/time/eventually.ts";
import { emitSome, endpointAt, handOf } from "#test/support/webhooks/webhook-world.ts";
import { listDeliveryStates } from "#test/support/webhooks/webhooks.sql.ts";
import { changeEndpoint, createSender, fanOut, findEndpoint, listAttempts, reviveExpired } from "../../index.ts";
import { lockDueEndpoints, updateClaimed } from "./claim.sql.ts";

const app = await testApp({ egress: await localEgress(), startsAt: new Date().toISOString() });
const { ctx, clock } = app;

let clear = async () => {};
// What one test leaves owed is not for the next one's sender.
afterEach(() => clear());

/** An endpoint that has taken one delivery, so that it counts as sound, and is owed `count` more. */
async function soundEndpoint(reply: Reply, count: number) {
  const tenant = await app.tenant();
  const shop = await receiver((one, response, request) => (shop.received.length === 1 ? response.end() : reply(one, response, request)));
  const { id } = await endpointAt(ctx, tenant, shop.url);
  await emitSome(ctx, tenant);
  await handOf(ctx).deliver();
  await emitSome(ctx, tenant, count);
  while ((await fanOut(ctx)) > 0);
  clear = async () => void (await changeEndpoint(ctx, tenant, { id, if_version: null, status: "disabled" }));
  const attempts = async () => (await listAttempts(ctx, tenant, { endpoint_id: id, limit: 100, status: null, event_id: null })).rows;
  const states = async () => (await listDeliveryStates(ctx.db, tenant)).slice(1);
  return { tenant, shop, id, attempts, states };
}

/** A context that counts the answers which have come back to the sender. */
function listen() {
  let answered = 0;
  const request: typeof ctx.egress.request = async (wanted) => {
    const exchange = await ctx.egress.request(wanted);
    answered += 1;
    return exchange;
  };
  const untilAnswered = async (count: number) => {
    await eventually(`${count} answers`, () => answered >= count);
    // What an answer sets off begins now.
    await turns();
  };
  return { listening: { ...ctx, egress: { ...ctx.egress, request } }, untilAnswered };
}

test("a healthy endpoint's run is sent five at a time under one claim, each delivery once", async () => {
  const open: (() => void)[] = [];
  let most = 0;
  const { shop, states, attempts } = await soundEndpoint((_one, response) => {
    open.push(() => response.end());
    most = Math.max(most, open.length);
  }, 30);
  const sender = createSender();
  await sender.run(ctx);
  for (let sent = 0; sent < 30; sent += 5) {
    await shop.until(sent + 6);
    expect((await states()).filter((one) => one.state === "leased")).toHaveLength(30);
    for (const answer of open.splice(0)) answer();
  }
  await sender.finish(ctx);
  expect(most).toBe(5);
  expect((await states()).every((one) => one.state === "succeeded" && one.attempts === 1)).toBe(true);
  expect((await attempts()).every((one) => one.status === "succeeded" && one.attempt === 1)).toBe(true);
});

test("an endpoint that accepts its run quickly is leased longer ones, and a shorter one when a lease was too short", async () => {
  let open: (() => void)[] | null = null;
  const { shop, states } = await soundEndpoint((_one, response) => {
    if (open === null) response.end();
    else open.push(() => response.end());
  }, 544);
  const sender = createSender();
  const { listening, untilAnswered } = listen();
  const leased = async () => (await states()).filter((one) => one.state === "leased").length;
  const runs: number[] = [];
  for (let sent = 0; runs.length < 3; sent += runs.at(-1) ?? 0) {
    await untilAnswered(sent);
    await sender.run(listening);
    runs.push(await leased());
  }
  expect(runs).toEqual([64, 64, 128]);
  await untilAnswered(256);
  open = [];
  await sender.run(listening);
  await shop.until(262);
  clock.advance(15_000);
  const held: (() => void)[] = open.splice(0);
  open = null;
  for (const answer of held) answer();
  await untilAnswered(261);
  expect(await leased()).toBe(256);
  await sender.run(listening);
  // Not all 283 that are left, as an ever longer lease would be.
  expect(await leased()).toBe(256);
  await sender.finish(listening);
});

test("when an endpoint starts to fail, what waits for it is returned and counts as never tried", async () => {
  const { shop, states, attempts } = await soundEndpoint((_one, response) => response.writeHead(500).end(), 30);
  await handOf(ctx).deliver();
  expect(shop.received).toHaveLength(6);
  const now = await states();
  expect(now.filter((one) => one.attempts === 1 && one.step === 1)).toHaveLength(5);
  expect(now.filter((one) => one.attempts === 0 && one.step === 0 && one.state === "due")).toHaveLength(25);
  expect((await attempts()).map((one) => one.status)).toEqual(["failed", "failed", "failed", "failed", "failed", "succeeded"]);
});

test("an endpoint that fails every second time keeps its run, and successes between failures keep its breaker closed", async () => {
  const open: (() => void)[] = [];
  const { shop, id, tenant, attempts } = await soundEndpoint((one, response) => {
    const status = shop.received.indexOf(one) % 2 === 0 ? 200 : 500;
    open.push(() => response.writeHead(status).end());
  }, 40);
  const { listening, untilAnswered } = listen();
  const sender = createSender();
  await sender.run(listening);
  for (let answered = 0; answered < 40; answered += 1) {
    await shop.until(Math.min(41, answered + 2));
    open.shift()?.();
    await untilAnswered(answered + 1);
    // Each outcome is stored separately: only then are failures in a row counted.
    await sender.run(listening);
  }
  await sender.finish(listening);
  expect(shop.received).toHaveLength(41);
  expect((await attempts()).filter((one) => one.status === "failed")).toHaveLength(20);
  expect(await findEndpoint(ctx, tenant, id)).toMatchObject({ breaker_until: null, breaker_trips: 0 });
  expect((await findEndpoint(ctx, tenant, id)).consecutive_failures).toBeLessThan(2);
});

test.each([
  ["what a lease is too short for", 15_000],
  ["what a stopping process has not sent", 0],
])("%s is returned and counts as never tried", async (_what, passed) => {
  const open: (() => void)[] = [];
  const { shop, states, attempts } = await soundEndpoint((_one, response) => open.push(() => response.end()), 20);
  const { listening, untilAnswered } = listen();
  const sender = createSender();
  await sender.run(listening);
  await shop.until(6);
  clock.advance(passed);
  const stopped = passed === 0 ? sender.finish(listening) : Promise.resolve();
  for (const answer of open.splice(0)) answer();
  // Each answer would draw the next delivery after it.
  await untilAnswered(5);
  await stopped;
  await sender.finish(listening);
  expect(shop.received).toHaveLength(6);
  expect((await states()).filter((one) => one.state === "due" && one.attempts === 0)).toHaveLength(15);
  expect((await attempts()).map((one) => one.status)).toEqual(Array.from({ length: 6 }, () => "succeeded"));
});

test("nothing more is sent to an endpoint that is disabled while deliveries wait for it", async () => {
  const open: (() => void)[] = [];
  const { tenant, shop, id, states } = await soundEndpoint((_one, response) => open.push(() => response.end()), 20);
  const sender = createSender();
  await sender.run(ctx);
  await shop.until(6);
  await changeEndpoint(ctx, tenant, { id, if_version: null, status: "disabled" });
  await sender.run(ctx);
  for (const answer of open.splice(0)) answer();
  await sender.finish(ctx);
  expect(shop.received).toHaveLength(6);
  expect((await states()).filter((one) => one.state === "skipped" && one.attempts === 0)).toHaveLength(15);
});

test("the attempts that a lost worker leaves behind open no breaker", async () => {
  let status = 200;
  const { id, tenant, shop, attempts } = await soundEndpoint((_one, response) => response.writeHead(status).end(), 40);
  await ctx.transact(async (tx) => {
    const endpoints = (await lockDueEndpoints(tx, { limit: 10, staleAfterMs: 0, holder: "dead", full: [] })).flatMap((one) =>
      one.id === id ? [{ ...one, most: 40 }] : [],
    );
    const attemptIds = Array.from({ length: 40 }, () => ctx.id("wat"));
    await updateClaimed(tx, { endpoints, holder: "dead", lease: "dead 1", durationMs: 30_000, attemptIds });
  });
  clock.advance(31_000);
  expect(await reviveExpired(ctx)).toBe(40);
  expect((await attempts()).filter((one) => one.error_code === "worker_lost")).toHaveLength(40);
  status = 500;
  const hand = handOf(ctx);
  await hand.deliver();
  expect(shop.received).toHaveLength(6);
  expect(await findEndpoint(ctx, tenant, id)).toMatchObject({ breaker_until: null, consecutive_failures: 5 });
});
