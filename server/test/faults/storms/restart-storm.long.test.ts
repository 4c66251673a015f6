import { expect, test } from "vitest";
import { restartStorm } from "./restart-storm.ts";

test("twenty crashes of the database under load lose no event, duplicate no payment and end no process", async () => {
  const report = await restartStorm({ kills: 20, everyMs: 5_000, processes: 3, endpointsEach: 10 });
  console.log(
    `restarts: ${report.acknowledged} orders, ${report.deliveries} deliveries (${report.perSecond}/s), ${report.duplicates} repeated, on again after ${report.onAfterMs} ms`,
  );
  expect(report.acknowledged).toBeGreaterThan(20);
  expect(report).toMatchObject({ late: 0, lost: [], doubled: [], bookFaults: [], exits: 0 });
  expect(report.onAfterMs).toBeLessThan(5_000);
});
