import { afterAll, beforeAll, expect, it } from "vitest";
import { buildDashboard } from "#test/support/dashboard/dashboard.ts";
import { EndingPrograms, moments, orderOf } from "#test/support/programs/ending-programs.ts";

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

it.each(["SIGTERM", "SIGINT"] as const)(
  "npm start passes %s on: a request in progress finishes, streams end, and it ends after the server and its database",
  (signal) => programs.endNpm(signal),
);
