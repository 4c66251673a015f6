import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { localEgress } from "#test/support/network/certificate.ts";
import { webhookStorm } from "./webhook-storm.ts";

const app = await testApp({ egress: await localEgress(), startsAt: new Date().toISOString() });

const leastPerSecond = 200;

test("five hundred kills under load lose no event and duplicate no payment", async () => {
  const report = await webhookStorm(app, { kills: 500, everyMs: 4_000, ordersPerSecond: 16, processes: 3, endpointsEach: 10 });
  console.log(
    `storm: ${report.acknowledged} orders, ${report.deliveries} deliveries (${report.perSecond}/s), ${report.duplicates} repeated, ${report.backlog} waiting at the last kill, healed in ${Math.round(report.healedMs / 1000)} s, ${report.behind} not yet offered to the failing ones`,
  );
  expect(report.acknowledged).toBeGreaterThan(20);
  expect(report.perSecond).toBeGreaterThanOrEqual(leastPerSecond);
  expect(report).toMatchObject({ late: 0, lost: [], doubled: [], bookFaults: [] });
  // Two leases, and the time that the backlog takes at the least rate.
  expect(report.healedMs).toBeLessThan(60_000 + (report.backlog / leastPerSecond) * 1000);
});
