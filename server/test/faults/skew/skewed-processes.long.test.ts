import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { localEgress } from "#test/support/network/certificate.ts";
import { skewedProcesses } from "./skewed-processes.ts";

const app = await testApp({ egress: await localEgress(), startsAt: new Date().toISOString() });

test("processes ten minutes fast and slow repeat nothing, expire nothing early and report the right time", async () => {
  const { faults, ...counts } = await skewedProcesses(app, { durationMs: 120_000, callers: 6, aheadMs: [0, 600_000, -600_000] });
  console.log(`skewed processes: ${JSON.stringify(counts)}`);
  expect(faults).toEqual([]);
  expect(counts.mails).toBeGreaterThan(500);
});
