import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { isUnavailable } from "./database.ts";
import {
  beginWait,
  createWaitLimit,
  currentWaiter,
  isWaitLimitReached,
  runShared,
  waitApart,
  withoutWaitLimit,
} from "./driver/wait-limit.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A request with the usual limit of five seconds, and what happened to it. */
function request() {
  const seen = { reached: 0, ended: 0 };
  const limit = createWaitLimit({ ms: 5_000, onReached: () => void (seen.reached += 1) });
  return {
    seen,
    limit,
    begin: () => limit.run(() => beginWait(() => void (seen.ended += 1))),
    /** Waits for a response that comes after this time. */
    async wait(ms: number) {
      const done = this.begin();
      await vi.advanceTimersByTimeAsync(ms);
      done();
    },
  };
}

test("several waits end together once their sum is five seconds, and what still waits then ends", async () => {
  const one = request();
  const { seen, limit } = one;
  for (const ms of [2_250, 2_250]) await one.wait(ms);
  one.begin();
  await vi.advanceTimersByTimeAsync(1_200);
  expect(seen).toEqual({ reached: 0, ended: 0 });
  await vi.advanceTimersByTimeAsync(100);
  expect(seen).toEqual({ reached: 1, ended: 1 });
  expect(limit.run(isWaitLimitReached)).toBe(true);
});

test("waits at the same time count once", async () => {
  const { seen, begin } = request();
  const all = [begin(), begin(), begin()];
  await vi.advanceTimersByTimeAsync(4_000);
  for (const done of all) done();
  begin();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(seen.reached).toBe(0);
});

test("a request of many short statements isn't ended, however long it takes", async () => {
  const one = request();
  for (let count = 0; count < 200; count += 1) await one.wait(200);
  expect(one.seen).toEqual({ reached: 0, ended: 0 });
});

test("time in which a request doesn't wait for the database doesn't count", async () => {
  const one = request();
  await one.wait(4_000);
  await vi.advanceTimersByTimeAsync(3_600_000);
  await one.wait(1_000);
  expect(one.seen).toEqual({ reached: 0, ended: 0 });
});

test("once the limit was reached, every further wait is short", async () => {
  const one = request();
  await one.wait(6_000);
  for (const ended of [2, 3]) {
    await one.wait(300);
    expect(one.seen).toEqual({ reached: 1, ended });
  }
});

test("a lifted limit ends nothing, neither waits in progress nor later ones", async () => {
  const one = request();
  one.begin();
  one.limit.lift();
  await one.wait(60_000);
  expect(one.seen).toEqual({ reached: 0, ended: 0 });
});

test("what several requests share is only waited for as long as it responds, and is never ended itself", async () => {
  const one = request();
  const shared = one.limit.run(() =>
    waitApart(() => {
      expect(currentWaiter()).toBeUndefined();
      return new Promise(() => {});
    }),
  );
  const outcome = shared.catch((error: unknown) => error);
  const waiter = one.limit.run(() => currentWaiter());
  const inside = { ended: 0 };
  for (let count = 0; count < 100; count += 1) {
    const done = runShared([waiter, undefined], () => beginWait(() => void (inside.ended += 1)));
    await vi.advanceTimersByTimeAsync(200);
    done();
  }
  expect(one.seen.reached).toBe(0);
  await vi.advanceTimersByTimeAsync(6_000);
  expect(one.seen.reached).toBe(1);
  expect(await outcome).toSatisfy(isUnavailable);
  expect(inside.ended).toBe(0);
});

test("work outside a request, or that outlives it, has no limit", () => {
  expect(currentWaiter()).toBeUndefined();
  expect(request().limit.run(() => withoutWaitLimit(currentWaiter))).toBeUndefined();
  expect(isWaitLimitReached()).toBe(false);
});
