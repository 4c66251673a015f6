import { expect, it } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { localEgress } from "#test/support/network/certificate.ts";
import { poisonDelivery, poisonMail } from "./poison-job.ts";

const app = await testApp({ egress: await localEgress() });

it.each([
  ["delivery", poisonDelivery],
  ["mail", poisonMail],
])("sets aside a %s that kills its workers while ten thousand others continue", { timeout: 900_000 }, async (what, poisoned) => {
  const { killed, done, setAside } = await poisoned(app, 10_000);
  console.log(`poison job, a ${what}: ${killed} workers killed, ${done} ended well`);
  expect(setAside).toEqual([true]);
  expect(done).toBe(10_000);
  expect([2, 3]).toContain(killed);
});
