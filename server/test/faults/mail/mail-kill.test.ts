import { expect, it } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { mailKillRounds } from "./mail-kill-rounds.ts";

const app = await testApp();

it("ends every accepted email once through 2 kills of a worker while 160 are sent", async () => {
  const report = await mailKillRounds(app, { kills: 2, mails: 160, leaseMs: 10_000, inProgress: 16, greylisted: false });
  console.log(`mail kills: ${JSON.stringify({ ...report, faults: report.faults.length })}`);
  expect(report.faults.slice(0, 10)).toEqual([]);
  expect(report).toMatchObject({ accepted: 160, delivered: 152, bounced: 8 });
  // Of 16 in progress, only those can be duplicated whose response was arriving or being stored.
  expect(report.copiesPerKill).toBeLessThanOrEqual(10);
});
