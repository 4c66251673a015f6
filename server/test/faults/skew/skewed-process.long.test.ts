import { randomInt } from "node:crypto";
import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { localEgress } from "#test/support/network/certificate.ts";
import { skewedProcesses } from "./skewed-processes.ts";

const app = await testApp({ egress: await localEgress(), startsAt: new Date().toISOString() });

/** Fast in one run, slow in another. */
const aheadMs = randomInt(2) === 0 ? 600_000 : -600_000;

test(`a process ${aheadMs / 60_000} minutes ahead, beside one that isn't, repeats nothing, expires nothing early and reports the right time`, async () => {
  const { faults, ...counts } = await skewedProcesses(app, { durationMs: 1_000, callers: 1, aheadMs: [aheadMs], worksHere: true });
  console.log(`skewed processes: ${JSON.stringify(counts)}`);
  expect(faults).toEqual([]);
  expect(counts.mails).toBeGreaterThan(10);
});
