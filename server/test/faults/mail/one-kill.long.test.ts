import { expect, it } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { mailKillRounds } from "./mail-kill-rounds.ts";

const app = await testApp();

it("ends every accepted email once through a kill of a worker while 80 are sent", async () => {
  const report = await mailKillRounds(app, { kills: 1, mails: 80, leaseMs: 6_000, inProgress: 16, greylisted: false, othersHere: true });
  console.log(`mail kills: ${JSON.stringify({ ...report, faults: report.faults.length })}`);
  expect(report.faults.slice(0, 10)).toEqual([]);
  expect(report).toMatchObject({ accepted: 80, delivered: 76, bounced: 4 });
  // Of 16 in progress, only those can be duplicated whose response was arriving or being stored.
  expect(report.copiesPerKill).toBeLessThanOrEqual(10);
});
