import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { localEgress } from "#test/support/network/certificate.ts";
import { webhookStorm } from "./webhook-storm.ts";

const app = await testApp({ egress: await localEgress(), startsAt: new Date().toISOString() });

test("five hundred kills under load lose no event and duplicate no payment", async () => {
  const report = await webhookStorm(app, { kills: 500, everyMs: 4_000, ordersPerSecond: 16, processes: 3, endpointsEach: 10 });
  console.log(
    `storm: ${report.acknowledged} orders, ${report.deliveries} deliveries (${report.perSecond}/s), ${report.duplicates} repeated, healed in ${Math.round(report.healedMs / 1000)} s, ${report.behind} not yet offered to the failing ones`,
  );
  expect(report.acknowledged).toBeGreaterThan(20);
  expect(report.perSecond).toBeGreaterThanOrEqual(200);
  expect(report).toMatchObject({ late: 0, lost: [], doubled: [], bookFaults: [] });
  expect(report.healedMs).toBeLessThan(60_000);
});
