import { describe, expect, it } from "vitest";
import type { Ctx } from "#platform/index.ts";
import { eventually, turns } from "#test/support/time/eventually.ts";
import { pauseMs, startWorkers } from "./start-workers.ts";

const lines: unknown[] = [];
const ctx = { log: { warn: (line: unknown) => lines.push(line), error: (line: unknown) => lines.push(line) } } as unknown as Ctx;

describe("startWorkers", () => {
  it("runs portions one after the other while there is work, then waits", async () => {
    let waiting = 5;
    let runs = 0;
    const workers = startWorkers(ctx, undefined, [
      {
        name: "drain",
        everyMs: 60_000,
        run: async () => {
          runs += 1;
          return waiting > 0 ? waiting-- : 0;
        },
      },
    ]);
    await eventually("six runs", () => waiting === 0 && runs === 6);
    await workers.stop();
    expect(runs).toBe(6);
  });

  it("isolates a failing task from the others and tries it again", async () => {
    let failures = 0;
    let runs = 0;
    const seen: boolean[] = [];
    const workers = startWorkers(ctx, (task, run) => task === "bad" && seen.push(run.failed), [
      {
        name: "bad",
        everyMs: 1,
        run: async () => {
          failures += 1;
          throw new Error("no");
        },
      },
      {
        name: "good",
        everyMs: 1,
        run: async () => {
          runs += 1;
          return 0;
        },
      },
    ]);
    await eventually("three runs of each", () => failures >= 3 && runs >= 3);
    await workers.stop();
    expect(lines.length).toBeGreaterThanOrEqual(3);
    expect(seen[0]).toBe(true);
  });

  it("reports once that the database is unavailable, however often it tries", async () => {
    let runs = 0;
    lines.length = 0;
    const away = Object.assign(new Error("no"), { code: "ECONNREFUSED" });
    const workers = startWorkers(ctx, undefined, [
      {
        name: "waiting",
        everyMs: 1,
        run: async () => {
          runs += 1;
          throw away;
        },
      },
    ]);
    await eventually("four runs", () => runs === 4);
    await workers.stop();
    expect(lines).toHaveLength(1);
  });

  it("waits for the running portion when stopped, and starts no other", async () => {
    let finished = 0;
    const workers = startWorkers(ctx, undefined, [
      {
        name: "slow",
        everyMs: 1,
        run: async () => {
          await turns();
          return (finished += 1);
        },
      },
    ]);
    await workers.stop();
    expect(finished).toBe(1);
  });
});

it.each([
  ["the first failure", { everyMs: 500, failures: 1, isAway: false }, 1_000],
  ["the fifth", { everyMs: 500, failures: 5, isAway: false }, 16_000],
  ["the hundredth", { everyMs: 500, failures: 100, isAway: false }, 30_000],
  ["the first failure while the database is away", { everyMs: 175, failures: 1, isAway: true }, 350],
  ["the hundredth while it is away", { everyMs: 500, failures: 100, isAway: true }, 1_000],
  ["a failure of what runs once a day", { everyMs: 86_400_000, failures: 1, isAway: false }, 30_000],
  ["the fourth failure of what runs once a day", { everyMs: 86_400_000, failures: 4, isAway: false }, 240_000],
  ["the hundredth failure of what runs once an hour", { everyMs: 3_600_000, failures: 100, isAway: true }, 3_600_000],
])("pauses after %s", (_what, given, pause) => {
  expect(pauseMs(given)).toBe(pause);
});
