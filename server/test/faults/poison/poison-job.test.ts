import { randomInt } from "node:crypto";
import { expect, it } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { localEgress } from "#test/support/network/certificate.ts";
import { poisonDelivery, poisonMail } from "./poison-job.ts";

const app = await testApp({ egress: await localEgress() });

/** One queue in each run, because it takes up to four workers; the tests of both queues lose workers without starting any. */
const poisoned = randomInt(2) === 0 ? poisonDelivery : poisonMail;

it(`sets aside a job that kills its workers while forty others continue, with ${poisoned.name}`, async () => {
  const { killed, done, setAside } = await poisoned(app, { others: 40, aloneAfterMs: 0 });
  expect(setAside).toEqual([true]);
  expect(done).toBe(40);
  expect([2, 3]).toContain(killed);
});
