import { expect, test, vi } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { listDeaths } from "#test/support/queues/queues.sql.ts";
import { createWorkPool, listSetAsideJobs, notice, type Pooled, reviveJobs } from "../index.ts";
import { noticeQueue, updateLeasedNotices } from "../notices/sql.ts";

const app = await testApp();
const { ctx, clock } = app;
const leaseMs = 60_000;

interface Job {
  id: string;
  lease: string;
  project_id: string;
}

const pool = (work: Pooled<Job>["work"]) =>
  createWorkPool<Job>({
    queue: noticeQueue,
    leaseMs,
    most: 4,
    topic: "pool_test",
    claim: async (on, wanted) => {
      const rows = await on.transact((tx) => updateLeasedNotices(tx, wanted));
      return rows.map(({ id }) => ({ id, lease: wanted.lease, project_id: "prj_x" }));
    },
    jobOf: ({ id }) => id,
    work,
  });

async function add(): Promise<void> {
  await runStatement(ctx.db, "delete from notices");
  await ctx.transact((tx) => notice(tx, ctx, { kind: "contract", recipient: "a@example.com", params: {} }));
}

const states = () => runStatement(ctx.db, "select state, deaths, attempts from notices");

test("a job that fails again and again is due again each time, and isn't a worker's death", async () => {
  await add();
  const failing = pool(async () => {
    throw new Error("canceling statement due to lock timeout");
  });
  for (let attempts = 1; attempts <= 5; attempts += 1) {
    await failing.run(ctx);
    await failing.idle();
    expect(await states()).toEqual([{ state: "due", deaths: 0, attempts }]);
    await failing.run(ctx);
    await failing.idle();
    expect(await states()).toEqual([{ state: "due", deaths: 0, attempts }]);
    clock.advance(leaseMs + 1_000);
    await reviveJobs(ctx, noticeQueue, "revive_notices");
  }
  expect(await listSetAsideJobs(ctx, noticeQueue)).toEqual([]);
});

test("a job in progress at a clean end is due for the next process at once, and isn't a worker's death", async () => {
  await add();
  const hung = Promise.withResolvers<void>();
  const hanging = pool(() => hung.promise);
  expect(await hanging.run(ctx)).toBe(1);
  // The seconds that it waits for its jobs pass at once.
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  const finished = hanging.finish(ctx);
  vi.advanceTimersByTime(60_000);
  vi.useRealTimers();
  await finished;
  expect(await states()).toEqual([{ state: "due", deaths: 0, attempts: 1 }]);
  const next = pool(async () => {});
  expect(await next.run(ctx)).toBe(1);
  hung.resolve();
  expect(await listDeaths(ctx.db, noticeQueue)).toEqual([]);
});
