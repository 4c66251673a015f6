import { expect, it } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { openSms, scriptedCarrier } from "#test/support/messages/sms.ts";
import { smsKillRounds } from "./kill-rounds.ts";

const app = await testApp({ sms: openSms([scriptedCarrier()]) });

it("ends every accepted SMS once and submits none twice through 500 kills of a worker while 100 000 go to a carrier that is often wrong", {
  timeout: 3_600_000,
}, async () => {
  const { faults, ...figures } = await smsKillRounds(app, { kills: 500, messages: 100_000, leaseMs: 10_000, responseMs: 10_000 });
  console.log(`SMS kills: ${JSON.stringify({ ...figures, faults: faults.length })}`);
  expect(faults.slice(0, 10)).toEqual([]);
  expect(figures.accepted).toBe(100_000);
  expect(figures.failed).toBeGreaterThan(1_500);
  // A worker's death leaves up to 40 in doubt, those it had marked but not recorded, and ends a connection or two; the end of any other one
  // leaves up to 10, those without a response. On a slow machine, more connections end because their hold wasn't extended in time.
  expect(figures.doubts).toBeLessThanOrEqual((figures.onTheWay["unanswered"] ?? 0) + 500 * 40 + (figures.ended - 500) * 10);
  expect(figures.doubts - figures.explained).toBeLessThanOrEqual(500);
});
