import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { buildDashboard } from "#test/support/dashboard/dashboard.ts";
import { EndingPrograms, moments, orderOf, statusOf } from "#test/support/programs/ending-programs.ts";
import { eventually } from "#test/support/time/eventually.ts";

const programs = new EndingPrograms();

beforeAll(buildDashboard);
afterAll(() => programs.remove());

it.each(moments)("SIGTERM %s ends the program and its database, and the next start is healthy", async (moment) => {
  await programs.cutStart(moment);
  const next = await (await programs.serve()).ready();
  expect(await orderOf(next)).toBe(201);
  // It serves by now: the last of the moments.
  expect(await next.stop()).toEqual({ code: 0, signal: null });
  expect(programs.isDatabaseUp()).toBe(false);
});

it("SIGTERM is followed by 503 on /readyz for DRAIN_SECONDS, while everything else is served; a second one ends the wait", async () => {
  const program = await (await programs.serve({ DRAIN_SECONDS: "600" })).ready();
  expect(await statusOf(program, "/readyz")).toBe(200);
  program.kill("SIGTERM");
  await eventually("/readyz says so", async () => (await statusOf(program, "/readyz")) === 503);
  expect(await statusOf(program, "/healthz")).toBe(200);
  expect(await orderOf(program)).toBe(201);
  // Two that come together are one request.
  await sleep(1_000);
  program.kill("SIGTERM");
  expect(await program.ended).toEqual({ code: 0, signal: null });
  expect(programs.isDatabaseUp()).toBe(false);
});

it.each(["SIGTERM", "SIGINT"] as const)(
  "npm start passes %s on: a request in progress finishes, streams end, and it ends after the server and its database",
  (signal) => programs.endNpm(signal),
);
