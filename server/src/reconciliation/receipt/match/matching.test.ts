import { expect, test } from "vitest";
import { chosenSeed, playPureHistories } from "#test/support/matching/play-histories.ts";

test("in 400 histories no one's money pays a stranger's order, buyers who pay as requested need no person, and holds last as promised", async () => {
  const seed = chosenSeed();
  const report = await playPureHistories(400, seed);
  console.info(`MATCHING_SEED=${seed}: ${JSON.stringify({ ...report, faults: report.faults.length })}`);
  expect(report.faults).toEqual([]);
  expect(report.settled).toBeGreaterThan(report.histories);
  expect(report.owed).toBeGreaterThan(report.histories);
});
