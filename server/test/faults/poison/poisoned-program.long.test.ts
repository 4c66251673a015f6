import { expect, it } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { localEgress } from "#test/support/network/certificate.ts";
import { poisonedProgram } from "./poisoned-program.ts";

const app = await testApp({ egress: await localEgress(), startsAt: new Date().toISOString() });

it("sets aside a delivery that kills each worker while ten thousand others continue, notifies the operators, and sends it when they release it", {
  timeout: 1_800_000,
}, async () => {
  const { listed, released, poison, repeated, ...counts } = await poisonedProgram(app, 10_000);
  console.info(`poisoned worker: ${JSON.stringify({ ...counts, repeated })}`);
  expect(counts).toEqual({ killed: counts.killed, others: 10_000, notices: 1, received: 1 });
  expect([2, 3]).toContain(counts.killed);
  expect(listed).toContain(poison);
  expect(released).toContain("Released: 1.");
});
