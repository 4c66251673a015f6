import { expect, test } from "vitest";
import { restartStorm } from "./restart-storm.ts";

test("two crashes of the database under load lose no event, double no payment and end no process", async () => {
  const report = await restartStorm(2, 2_500);
  console.log(
    `restarts: ${report.acknowledged} orders, ${report.deliveries} deliveries (${report.perSecond}/s), ${report.duplicates} repeated, on again after ${report.onAfterMs} ms`,
  );
  expect(report.acknowledged).toBeGreaterThan(5);
  expect(report).toMatchObject({ lost: [], doubled: [], bookFaults: [], exits: 0 });
});
