import { afterAll, beforeAll, it } from "vitest";
import { buildDashboard } from "#test/support/dashboard/dashboard.ts";
import { EndingPrograms } from "#test/support/programs/ending-programs.ts";

const programs = new EndingPrograms();

beforeAll(async () => {
  await buildDashboard();
  await programs.begin();
});
afterAll(() => programs.remove());

// The next test's start begins with what this one left. The long test has the other moments, each with a whole start after it.
it("SIGTERM when its database runs ends the program and its database, and the next start gets further", async () => {
  await programs.cutStart("when its database runs");
});

it("npm start passes SIGTERM on: requests in progress finish, streams end, no new connections are accepted, and it ends after the database", () =>
  programs.endNpm("SIGTERM"));
