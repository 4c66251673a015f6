import { describe, expect, it } from "vitest";
import type { Ctx } from "#platform/index.ts";
import { startWorkers } from "./start-workers.ts";

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
    await until(() => waiting === 0 && runs === 6);
    await workers.stop();
    expect(runs).toBe(6);
  });

  it("keeps a failing task from the others and tries it again", async () => {
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
    await until(() => failures >= 3 && runs >= 3);
    await workers.stop();
    expect(lines.length).toBeGreaterThanOrEqual(3);
    expect(seen[0]).toBe(true);
  });

  it("asks a database that is away again within a second or so, however long it has been away, and says so once", async () => {
    const runs: number[] = [];
    lines.length = 0;
    const away = Object.assign(new Error("no"), { code: "ECONNREFUSED" });
    const workers = startWorkers(ctx, undefined, [
      {
        name: "waiting",
        everyMs: 500,
        run: async () => {
          runs.push(performance.now());
          throw away;
        },
      },
    ]);
    await until(() => runs.length === 4);
    await workers.stop();
    const [, , third = 0, fourth = 0] = runs;
    expect(fourth - third).toBeLessThan(2_500);
    expect(lines).toHaveLength(1);
  });

  it("waits for the running portion when stopped, and starts no other", async () => {
    let finished = 0;
    const workers = startWorkers(ctx, undefined, [
      {
        name: "slow",
        everyMs: 1,
        run: async () => {
          await new Promise((resolve) => setTimeout(resolve, 50));
          return (finished += 1);
        },
      },
    ]);
    await workers.stop();
    expect(finished).toBe(1);
  });
});

async function until(done: () => boolean): Promise<void> {
  while (!done()) await new Promise((resolve) => setTimeout(resolve, 2));
}
