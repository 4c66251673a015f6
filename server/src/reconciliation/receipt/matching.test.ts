import { expect, test } from "vitest";
import { auditBooks } from "#orders/audit-books.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { chosenSeed, playHistories } from "#test/support/matching/play-histories.ts";

const app = await testApp();

test("also on PostgreSQL no one's money pays a stranger's order, buyers who pay as requested need no person, and the books agree", async () => {
  const seed = chosenSeed();
  const report = await playHistories(app, { histories: 5, seed, steps: 30 });
  console.info(`MATCHING_SEED=${seed}: ${JSON.stringify({ ...report, faults: report.faults.length })}`);
  expect(report.faults).toEqual([]);
  expect(report.transfers).toBeGreaterThan(8);
  expect(await auditBooks(app.ctx)).toEqual([]);
});
