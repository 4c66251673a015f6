import { expect, test } from "vitest";
import { listen } from "#test/support/app/listen.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { localEgress } from "#test/support/network/certificate.ts";
import { webhookStorm } from "./webhook-storm.ts";

const app = await testApp({
  ...{ egress: await localEgress(), startsAt: new Date().toISOString() },
  http: { perMinuteTest: 1_000_000, burst: 5_000 },
});

test("a kill under load loses no event and duplicates no payment", async () => {
  const report = await webhookStorm(app, {
    ...{ kills: 1, everyMs: 1_000, ordersPerSecond: 10, endpointsEach: 3, hurries: true },
    ...{ processes: 1, survivor: await listen(app) },
  });
  console.log(
    `storm: ${report.acknowledged} orders, ${report.deliveries} deliveries (${report.perSecond}/s), ${report.duplicates} repeated, healed in ${Math.round(report.healedMs / 1000)} s, ${report.behind} not yet offered to the failing ones`,
  );
  expect(report.acknowledged).toBeGreaterThan(5);
  expect(report).toMatchObject({ lost: [], doubled: [], bookFaults: [] });
});
