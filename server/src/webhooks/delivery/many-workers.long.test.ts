import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { emit } from "#events/index.ts";
import { openDatabase } from "#platform/index.ts";
import { contextOn } from "#test/support/app/context.ts";
import { patience, testApp } from "#test/support/app/test-app.ts";
import { localEgress } from "#test/support/network/certificate.ts";
import { receiver } from "#test/support/network/receiver.ts";
import { emitSome, endpointAt } from "#test/support/webhooks/webhook-world.ts";
import { insertBacklog } from "#test/support/webhooks/webhooks.sql.ts";
import { startWorkers } from "#workers/index.ts";

const egress = await localEgress();
const app = await testApp({ egress });
const { ctx, clock } = app;

/** A separate process, as far as the database can tell. */
function anotherProcess() {
  const database = openDatabase({ url: app.url, max: 4, applicationName: "tillpost-test-worker", ...patience });
  return { database, ctx: contextOn(database, { now: () => new Date(), files: ctx.files, egress }) };
}

function percentile(times: number[], share: number): number {
  const sorted = times.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

describe("one process", () => {
  test("delivers within milliseconds of the commit, and a dead endpoint's backlog of 100 000 changes nothing for others", async () => {
    const tenant = await app.tenant();
    const arrived = new Map<string, number>();
    const shop = await receiver((one, response) => {
      arrived.set(JSON.parse(one.body.toString()).data.order.metadata.mark, performance.now());
      response.end();
    });
    await endpointAt(ctx, tenant, shop.url, ["order.paid"]);
    const { database, ctx: own } = anotherProcess();
    const workers = startWorkers(own);
    const measure = async (count: number) => {
      const times: number[] = [];
      for (let n = 0; n < count; n += 1) {
        const mark = `${count}-${n}`;
        await emitMarked(own, tenant, mark);
        const committed = performance.now();
        for (let wait = 0; !arrived.has(mark) && wait < 2_000; wait += 1) await sleep(1);
        times.push((arrived.get(mark) ?? Number.POSITIVE_INFINITY) - committed);
      }
      return times;
    };
    const quiet = await measure(30);
    const dead = await endpointAt(ctx, tenant, "https://127.0.0.1:1/", ["order.failed"]);
    await insertBacklog(ctx.db, tenant, { endpoint_id: dead.id, count: 100_000, now: new Date() });
    const concurrent = await measure(31);
    await workers.stop();
    await database.close();
    // Targets are 50 and 300 ms; other tests share the two cores, so the bars here only catch a wait for the next poll.
    expect(percentile(quiet, 0.5)).toBeLessThan(120);
    expect(percentile(quiet, 0.99)).toBeLessThan(1_000);
    expect(percentile(concurrent, 0.95)).toBeLessThan(2_000);
    console.log(
      `commit to receipt: p50 ${percentile(quiet, 0.5).toFixed(1)} ms, p99 ${percentile(quiet, 0.99).toFixed(1)} ms; beside 100 000 due: p95 ${percentile(concurrent, 0.95).toFixed(1)} ms`,
    );
  });
});

test("an endpoint that refuses three in ten gets each event as soon as a healthy one does, and the refused ones again on their schedule", async () => {
  const tenant = await app.tenant();
  const steady = await receiver();
  const refused = new Map<string, number>();
  const again: number[] = [];
  const first = new Map<string, number>();
  let receivedCount = 0;
  const failing = await receiver(({ headers, at }, response) => {
    const id = headers["webhook-id"] ?? "";
    const since = refused.get(id);
    if (since !== undefined) again.push(at - since);
    if (!first.has(id)) first.set(id, at);
    const refuses = since === undefined && (receivedCount += 1) % 10 < 3;
    if (refuses) refused.set(id, at);
    response.writeHead(refuses ? 500 : 200).end();
  });
  await endpointAt(ctx, tenant, steady.url);
  await endpointAt(ctx, tenant, failing.url);
  const processes = [anotherProcess(), anotherProcess(), anotherProcess()];
  const running = processes.map((one) => startWorkers(one.ctx));
  clock.run();
  for (let n = 0; n < 100; n += 1) {
    await emitSome((processes[n % 3] as (typeof processes)[number]).ctx, tenant, 10);
    await sleep(50);
  }
  await steady.until(1_000);
  const behind = 1_000 - first.size;
  await failing.until(1_300);
  await Promise.all(running.map((workers) => workers.stop()));
  await Promise.all(processes.map((one) => one.database.close()));
  const lag = steady.received.map((one) => (first.get(one.headers["webhook-id"] ?? "") ?? Number.POSITIVE_INFINITY) - one.at);
  console.log(
    `behind a sound endpoint: ${behind} of 1000 at its end, p50 ${percentile(lag, 0.5).toFixed(0)} ms, p99 ${percentile(lag, 0.99).toFixed(0)} ms; again after ${Math.min(...again).toFixed(0)} to ${Math.max(...again).toFixed(0)} ms`,
  );
  // Counted, not timed: a busy machine is as slow for both.
  expect(behind).toBeLessThan(100);
  expect(again).toHaveLength(refused.size);
  expect(Math.min(...again)).toBeGreaterThanOrEqual(3_900);
});

async function emitMarked(own: typeof ctx, tenant: Parameters<typeof emitSome>[1], mark: string): Promise<void> {
  await own.transact((tx) =>
    emit(tx, own, { tenant, events: [{ event: "order.paid", object_id: own.id("ord"), data: { order: { metadata: { mark } } } }] }),
  );
}
