import { expect, it } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { mailKillRounds } from "./mail-kill-rounds.ts";

const app = await testApp();

it("ends every accepted email once through 100 kills of a worker while 10 000 are sent, some of them greylisted", {
  timeout: 1_800_000,
}, async () => {
  const report = await mailKillRounds(app, { kills: 100, mails: 10_000, leaseMs: 10_000, inProgress: 40, greylisted: true });
  console.log(`mail kills: ${JSON.stringify({ ...report, faults: report.faults.length })}`);
  expect(report.faults.slice(0, 10)).toEqual([]);
  expect(report).toMatchObject({ accepted: 10_000, delivered: 9_500, bounced: 500 });
  // Of 40 in progress, only those can be duplicated whose response was arriving or being stored.
  expect(report.copiesPerKill).toBeLessThanOrEqual(5);
  expect(report.answeredBeforeKillMs.longest).toBeLessThan(1_000);
});
