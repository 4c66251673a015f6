import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { createBindHold } from "./hold-bind.ts";

const app = await testApp();
const { ctx } = app;
/** Between processes, only the database's stopped clock counts. */
const times = { leaseMs: 3_600_000, extendEveryMs: 10, retryEveryMs: 10 };
const idle = { ...times, extendEveryMs: 3_600_000 };
const waiting = new AbortController().signal;

const holder = async (name: string) =>
  (await runStatement<{ lease: string }>(ctx.db, "select lease from sms_binds where name = ?", name))[0]?.lease;

/** Whether a promise has come to its end by now. */
function watch<T>(promise: Promise<T>): { isDone: boolean; promise: Promise<T> } {
  const watched = { isDone: false, promise };
  void promise.then(() => {
    watched.isDone = true;
  });
  return watched;
}

test("one process holds a bind; when it returns it, another that waits takes it", async () => {
  const first = await createBindHold(ctx, times).take("main", waiting);
  const lease = await holder("main");
  const second = watch(createBindHold(ctx, times).take("main", waiting));
  const other = await createBindHold(ctx, times).take("other", waiting);
  expect([second.isDone, await holder("main")]).toEqual([false, lease]);
  await first?.release();
  const held = await second.promise;
  expect(await holder("main")).not.toBe(lease);
  await Promise.all([held?.release(), other?.release()]);
  expect(await holder("main")).toBeUndefined();
});

test("a dead process's bind goes to another when its lease is over, and one that is still alive learns that it lost it", async () => {
  const dead = await createBindHold(ctx, idle).take("main", waiting);
  const [theirs, second] = [await holder("main"), watch(createBindHold(ctx, times).take("main", waiting))];
  app.clock.advance(times.leaseMs - 1_000);
  expect([second.isDone, await holder("main")]).toEqual([false, theirs]);
  app.clock.advance(2_000);
  const held = await second.promise;
  expect(held).not.toBeNull();
  // What comes back late takes nothing from the one that holds it now.
  await dead?.release();
  expect(await holder("main")).toBeDefined();
  const lost = watch((held as NonNullable<typeof held>).lost);
  await runStatement(ctx.db, "update sms_binds set lease = 'a third' where name = 'main'");
  await eventually("it was told", () => lost.isDone);
  await runStatement(ctx.db, "delete from sms_binds");
});

test("the bind of a process that died while the clock was ahead is free after the clock was set back", async () => {
  const now = app.clock.now();
  app.clock.advance(10 * 365 * 24 * 3_600_000);
  const dead = await createBindHold(ctx, idle).take("main", waiting);
  const theirs = await holder("main");
  app.clock.set(now);
  const held = await createBindHold(ctx, times).take("main", AbortSignal.timeout(10_000));
  expect([held === null, (await holder("main")) === theirs]).toEqual([false, false]);
  await dead?.release();
  await held?.release();
});

test("a bind that is held stays held, however long", async () => {
  const held = await createBindHold(ctx, times).take("main", waiting);
  const lost = watch((held as NonNullable<typeof held>).lost);
  for (let turn = 0; turn < 5; turn += 1) {
    const [before] = await runStatement<{ held_until: Date }>(ctx.db, "select held_until from sms_binds where name = 'main'");
    app.clock.advance(times.leaseMs / 2);
    await eventually("it was held anew", async () => {
      const [now] = await runStatement<{ held_until: Date }>(ctx.db, "select held_until from sms_binds where name = 'main'");
      return (now?.held_until.getTime() ?? 0) > (before?.held_until.getTime() ?? 0);
    });
  }
  expect(lost.isDone).toBe(false);
  await held?.release();
});

test("a process that is told to stop no longer waits", async () => {
  const held = await createBindHold(ctx, times).take("main", waiting);
  const leaving = new AbortController();
  const second = createBindHold(ctx, times).take("main", leaving.signal);
  leaving.abort();
  expect(await second).toBeNull();
  await held?.release();
});

test("a process that can't reach the database for as long as its lease learns that it may have lost its bind", async () => {
  let isAway = false;
  const db = new Proxy(ctx.db, {
    get: (target, name, self) => {
      if (isAway) throw new Error("the database is away");
      return Reflect.get(target, name, self) as unknown;
    },
  });
  const held = await createBindHold({ ...ctx, db }, { leaseMs: 60, extendEveryMs: 10, retryEveryMs: 10 }).take("brief", waiting);
  isAway = true;
  const lost = watch((held as NonNullable<typeof held>).lost);
  await eventually("it was told", () => lost.isDone);
  isAway = false;
  await held?.release();
});
