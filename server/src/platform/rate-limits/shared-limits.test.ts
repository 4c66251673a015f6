import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { createMemoryLimits, type LimitRule, type LimitStore } from "./limits.ts";
import { openPostgresLimits } from "./postgres-store.ts";
import { createSharedLimits, type SharedStore } from "./shared-limits.ts";

const run = promisify(execFile);
const app = await testApp();
const nodes: LimitStore[] = [];
afterAll(() => Promise.all(nodes.map((node) => node.close())));

/** One process's view of the windows in this file's database. */
function node(): LimitStore {
  const made = createSharedLimits({ store: openPostgresLimits({ url: app.url }), nodes: 4, onChange: () => {}, timeoutMs: 10_000 });
  nodes.push(made);
  return made;
}

const minute: LimitRule = { limit: 100, windowMs: 60_000 };
const [one, two, three, four] = [node(), node(), node(), node()];
const all = [one, two, three, four] as LimitStore[];
const now = () => Date.now();

describe("windows in PostgreSQL", () => {
  test("admit exactly the limit, however many nodes request however many concurrently", async () => {
    const takes = Array.from({ length: 300 }, (_none, index) => (all[index % 4] as LimitStore).bucket("GET /x").take("key", minute, now()));
    const taken = await Promise.all(takes);
    expect(taken.filter(({ allowed }) => allowed)).toHaveLength(100);
    expect(new Set(taken.map(({ resetsAtMs }) => resetsAtMs))).toHaveProperty("size", 1);
    const remaining = taken.filter(({ allowed }) => allowed).map((one) => one.remaining);
    expect(remaining.sort((left, right) => left - right)).toEqual(Array.from({ length: 100 }, (_none, index) => index));
    expect(taken.filter(({ allowed, remaining: left }) => !allowed && left !== 0)).toEqual([]);
  });

  test("admit exactly the limit across processes", async () => {
    const script = fileURLToPath(new URL("../../../test/support/network/limit-process.ts", import.meta.url));
    const given = await Promise.all(Array.from({ length: 2 }, () => run(process.execPath, [script, app.url, "500", "700"])));
    expect(given.reduce((sum, { stdout }) => sum + Number(stdout), 0)).toBe(700);
  });

  test("are anchored at the first request, on the store's clock, and reopen at their end", async () => {
    const rule = { limit: 2, windowMs: 300_000 };
    const bucket = one?.bucket("short") as ReturnType<LimitStore["bucket"]>;
    const wrongClock = now() + 600_000;
    const first = await bucket.take("key", rule, wrongClock);
    expect(first.resetsAtMs - first.nowMs).toBe(300_000);
    expect(first.nowMs).toBeLessThan(wrongClock);
    const others = [await bucket.take("key", rule, wrongClock), await bucket.take("key", rule, wrongClock)];
    expect(others.map(({ allowed, resetsAtMs }) => [allowed, resetsAtMs])).toEqual([
      [true, first.resetsAtMs],
      [false, first.resetsAtMs],
    ]);
    // As if five minutes had passed on the store's clock.
    await runStatement(app.ctx.db, "update limit_windows set ends_at_ms = ends_at_ms - 300000 where name = 'short|key'");
    expect(await bucket.take("key", rule, wrongClock)).toMatchObject({ allowed: true, remaining: 1 });
  });

  test("that were opened while the store's clock was ahead are over", async () => {
    const rule = { limit: 1, windowMs: 300_000 };
    const bucket = one?.bucket("ahead") as ReturnType<LimitStore["bucket"]>;
    await bucket.take("key", rule, now());
    expect(await bucket.take("key", rule, now())).toMatchObject({ allowed: false });
    await runStatement(app.ctx.db, "update limit_windows set ends_at_ms = ends_at_ms + 300000000000 where name = 'ahead|key'");
    expect(await bucket.look("key", rule, now())).toMatchObject({ allowed: true, remaining: 1 });
    const taken = await bucket.take("key", rule, now());
    expect([taken.allowed, taken.resetsAtMs - taken.nowMs]).toEqual([true, 300_000]);
    expect(await bucket.take("key", rule, now())).toMatchObject({ allowed: false });
  });

  test("can be read without counting, and take back what wasn't used", async () => {
    const bucket = two?.bucket("GET /y") as ReturnType<LimitStore["bucket"]>;
    expect(await bucket.look("key", minute, now())).toMatchObject({ allowed: true, remaining: 100 });
    const taken = await bucket.take("key", minute, now());
    expect(bucket.release("key", taken)).toMatchObject({ remaining: 100, resetsAtMs: taken.resetsAtMs });
    await expect.poll(async () => (await three?.bucket("GET /y").look("key", minute, now()))?.remaining).toBe(100);
    bucket.release("key", { ...taken, resetsAtMs: 1 });
    expect(await bucket.take("key", minute, now())).toMatchObject({ remaining: 99 });
  });
});

test("a window in memory that was opened while the clock was ahead is over", () => {
  const bucket = createMemoryLimits().bucket("b");
  const rule = { limit: 1, windowMs: 60_000 };
  bucket.take("key", rule, now() + 300_000_000_000);
  expect(bucket.look("key", rule, now())).toMatchObject({ allowed: true, remaining: 1 });
  expect([bucket.take("key", rule, now()), bucket.take("key", rule, now())]).toMatchObject([{ allowed: true }, { allowed: false }]);
});

test("a process that was busy itself doesn't consider its store lost", async () => {
  const changes: unknown[] = [];
  const limits = createSharedLimits({
    store: openPostgresLimits({ url: app.url }),
    nodes: 4,
    onChange: (reason) => changes.push(reason),
    timeoutMs: 2_000,
  });
  nodes.push(limits);
  const bucket = limits.bucket("busy");
  await bucket.take("key", minute, now());
  const taken = bucket.take("key", minute, now());
  await new Promise((resolve) => setImmediate(resolve));
  // Holds this thread up without burning a core.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_300);
  await taken;
  expect(changes).toEqual([]);
});

describe("a lost store", () => {
  function flaky() {
    const state = { mode: "up" as "up" | "down" | "silent", requests: 0 };
    const changes: (string | null)[] = [];
    const windows = createMemoryLimits().bucket("store");
    const store: SharedStore = {
      async take(window, rule, count) {
        state.requests += 1;
        if (state.mode === "down") throw new Error("refused");
        if (state.mode === "silent") await new Promise(() => {});
        let granted = 0;
        for (let place = 0; place < count; place += 1) if ((await windows.take(window, rule, now())).allowed) granted += 1;
        const { limit, remaining, resetsAtMs, nowMs } = await windows.look(window, rule, now());
        return { granted, used: limit - remaining, resetsAtMs, nowMs };
      },
      release: async () => {},
      close: async () => {},
    };
    const clock = { ms: 0 };
    const limits = createSharedLimits({
      ...{ store, nodes: 4, timeoutMs: 100, retryMs: 500, clockMs: () => clock.ms },
      onChange: (reason) => changes.push(reason?.message ?? null),
    });
    const take = async () => await limits.bucket("b").take("key", minute, now());
    return { state, changes, limits, take, clock };
  }

  test.each(["down", "silent"] as const)("because it is %s: each node allows its part, says so once, and reconnects", async (mode) => {
    const { state, changes, limits, take, clock } = flaky();
    expect([(await take()).limit, limits.sharedUp()]).toEqual([100, 1]);
    state.mode = mode;
    const first = await take();
    expect(first).toMatchObject({ allowed: true, limit: 25, remaining: 24 });
    const more = await Promise.all(Array.from({ length: 100 }, take));
    expect(more.filter(({ allowed }) => allowed)).toHaveLength(24);
    expect([changes.length, limits.sharedUp()]).toEqual([1, 0]);
    expect(limits.bucket("b").take("other", minute, now())).not.toBeInstanceOf(Promise);
    state.mode = "up";
    clock.ms += 600;
    expect(await take()).toMatchObject({ limit: 100, remaining: 98 });
    expect([changes.length, changes.at(-1), limits.sharedUp()]).toEqual([2, null, 1]);
  });

  test("is tried by one request at a time, so that the others don't wait for it", async () => {
    const { state, take, clock } = flaky();
    state.mode = "silent";
    await take();
    clock.ms += 600;
    const requests = state.requests;
    const answered: string[] = [];
    const probe = take().then(() => answered.push("probe"));
    await Promise.all(Array.from({ length: 50 }, take));
    answered.push("others");
    await probe;
    expect(answered).toEqual(["others", "probe"]);
    expect(state.requests).toBe(requests + 1);
  });
});

test("memory responds without a promise, and a window's place is only returned to that window", () => {
  const bucket = createMemoryLimits().bucket("b");
  const rule = { limit: 1, windowMs: 1_000 };
  const first = bucket.take("key", rule, 0);
  if (first instanceof Promise) throw new Error("a promise");
  expect(bucket.take("key", rule, 999)).toMatchObject({ allowed: false, remaining: 0, resetsAtMs: 1_000 });
  const second = bucket.take("key", rule, 1_000);
  expect(second).toMatchObject({ allowed: true, remaining: 0, resetsAtMs: 2_000 });
  expect(bucket.release("key", first)).toMatchObject({ remaining: 1 });
  expect(bucket.take("key", rule, 1_500)).toMatchObject({ allowed: false });
});
