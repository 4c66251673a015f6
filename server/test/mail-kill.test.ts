import { expect, it } from "vitest";
import { house } from "./house.ts";
import { mailKillRounds } from "./mail-kill-rounds.ts";

const home = await house();

it("ends every accepted mail once through 4 kills of a worker while 1 000 are sent", { timeout: 90_000 }, async () => {
  const report = await mailKillRounds(home, { kills: 4, mails: 1_000, leaseMs: 3_000, greylisted: false });
  console.log(`mail kills: ${JSON.stringify({ ...report, faults: report.faults.length })}`);
  expect(report.faults.slice(0, 10)).toEqual([]);
  expect(report).toMatchObject({ accepted: 1_000, delivered: 950, bounced: 50 });
  expect(report.duplicates).toBeLessThan(report.kills * 100);
});
