import { expect, it } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { localEgress } from "#test/support/network/certificate.ts";
import { poisonDelivery, poisonMail } from "./poison-job.ts";

const app = await testApp({ egress: await localEgress() });

it.each([
  ["delivery", poisonDelivery],
  ["mail", poisonMail],
])("sets aside a %s that kills its workers while forty others continue", async (_what, poisoned) => {
  const { killed, done, setAside } = await poisoned(app, { others: 40, aloneAfterMs: 0 });
  expect(setAside).toEqual([true]);
  expect(done).toBe(40);
  expect([2, 3]).toContain(killed);
});
