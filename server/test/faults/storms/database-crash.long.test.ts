import { expect, test } from "vitest";
import { restartStorm } from "./restart-storm.ts";

test("a crash of the database under load loses no event, duplicates no payment and stops no work", async () => {
  const report = await restartStorm({
    ...{ kills: 1, everyMs: 1_000, ordersPerSecond: 12, endpointsEach: 3, hurries: true },
    ...{ processes: 0, servesHere: true },
  });
  console.log(
    `restarts: ${report.acknowledged} orders, ${report.deliveries} deliveries (${report.perSecond}/s), ${report.duplicates} repeated, on again after ${report.onAfterMs} ms`,
  );
  expect(report.acknowledged).toBeGreaterThan(5);
  expect(report).toMatchObject({ lost: [], doubled: [], bookFaults: [] });
});
