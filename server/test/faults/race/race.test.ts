import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { expectFairRace } from "./race-rules.ts";

const app = await testApp();

test("100 orders, each paid twice, replayed, expired, canceled and approved concurrently: one outcome each, and every cent is accounted for", async () => {
  const race = await expectFairRace(app, 100);
  // A race that one side always wins proves nothing.
  for (const status of ["paid", "canceled"]) expect(race.outcomes.filter((one) => one.status === status).length).toBeGreaterThan(0);
  for (const outcome of ["paid", "exception", "repeat", "underpaid"]) expect(race.settled[outcome]).toBeGreaterThan(0);
  expect(race.outcomes.filter((one) => one.expired > 0).length).toBeGreaterThan(0);
});
