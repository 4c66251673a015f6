import { expect, test } from "vitest";
import { auditLedger } from "#ledger/index.ts";
import { auditBooks } from "#orders/audit-books.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { chosenSeed, playHistories } from "#test/support/matching/play-histories.ts";

const app = await testApp();

test("in 1 000 histories on PostgreSQL no one's money pays a stranger's order, buyers who pay as requested need no person, and holds last", async () => {
  const seed = chosenSeed();
  const report = await playHistories(app, { histories: 1_000, seed, steps: 40 });
  console.info(`MATCHING_SEED=${seed}: ${JSON.stringify({ ...report, faults: report.faults.length })}`);
  expect(report.faults).toEqual([]);
  expect(report.owed).toBeGreaterThan(report.histories);
  expect(await auditBooks(app.ctx)).toEqual([]);
  expect((await auditLedger(app.ctx)).faults).toEqual([]);
});
