import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildDashboard } from "#test/support/dashboard/dashboard.ts";
import { EndingPrograms, orderOf, statusOf } from "#test/support/programs/ending-programs.ts";
import { eventually } from "#test/support/time/eventually.ts";

const programs = new EndingPrograms();
/** The others are in the long test. */
const someMoments = ["at once", "when its database runs"] as const;

beforeAll(async () => {
  await buildDashboard();
  await programs.begin();
});
afterAll(() => programs.remove());

describe("SIGTERM", () => {
  // Each start begins with what the one before left: the last test's is whole. The long test begins with an empty folder, and has a whole
  // start after each.
  it.each(someMoments)("%s ends the program and its database, and the next start gets further", async (moment) => {
    await programs.cutStart(moment);
  });

  it("is followed by 503 on /readyz for DRAIN_SECONDS, while everything else is served; a second one ends the wait", async () => {
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
});

it("npm start passes SIGTERM on: requests in progress finish, streams end, no new connections are accepted, and it ends after the database", () =>
  programs.endNpm("SIGTERM"));
