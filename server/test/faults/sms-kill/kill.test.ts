import { expect, it } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { openSms, scriptedCarrier } from "#test/support/messages/sms.ts";
import { smsKillRounds } from "./kill-rounds.ts";

const app = await testApp({ sms: openSms([scriptedCarrier()]) });

it("ends every accepted SMS once and submits none twice through a kill of a worker, at a carrier that is often wrong", async () => {
  const { faults, ...figures } = await smsKillRounds(app, {
    ...{ kills: 1, messages: 120, leaseMs: 6_000, responseMs: 3_000, othersHere: true },
  });
  console.log(`SMS kills: ${JSON.stringify(figures)}`);
  expect(faults.slice(0, 10)).toEqual([]);
  expect(figures.accepted).toBe(120);
  // Each one that the carrier didn't respond to is in doubt, and few others are.
  expect(figures.doubts).toBeGreaterThanOrEqual(3);
  expect(figures.doubts - figures.explained).toBeLessThanOrEqual(15);
});
