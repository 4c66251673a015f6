import { test } from "vitest";
import { house } from "#test/support/house/house.ts";
import { expectFairRace } from "./race-rules.ts";

const home = await house();

test("10 000 orders race as fairly as 1 000", async () => {
  await expectFairRace(home, 10_000);
});
