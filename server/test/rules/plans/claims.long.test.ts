import { describe, expect, test } from "vitest";
import { listQueues } from "#http/dashboard/sql.ts";
import { fullQueues, type TimedStatement, timedStatements } from "./claims.ts";
import { type Plan, plansOf } from "./plans.sql.ts";

const { client, tenant } = await fullQueues(300_000);

const list: TimedStatement = { name: "the operators' list of queues", index: "events_not_fanned_out", run: listQueues };

describe.each([...timedStatements(tenant), list])("$name of 300 000", ({ name, index, run }) => {
  test("touch as many pages with app_now() as with the server's own clock", async () => {
    const costs = new Map<string, Plan>();
    // The first run warms the pages that the others read.
    for (const clock of ["app_now()", "now()", "statement_timestamp()", "app_now()"])
      costs.set(clock, (await plansOf(client, run, clock))[0] as Plan);
    for (const [clock, { blocks, ms, indexes }] of costs)
      console.log(`${name}: ${clock} ${blocks} pages, ${ms.toFixed(1)} ms, ${[...new Set(indexes)].join(" ")}`);
    const [after, before] = [costs.get("app_now()") as Plan, costs.get("statement_timestamp()") as Plan];
    expect(after.indexes).toContain(index);
    expect(after.indexes).toEqual(before.indexes);
    expect(Math.abs(after.blocks - before.blocks)).toBeLessThan(before.blocks * 0.05 + 20);
  });
});
