import { test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { expectFairRace } from "./race-rules.ts";

const app = await testApp();

test("10 000 orders race as fairly as 1 000", async () => {
  await expectFairRace(app, 10_000);
});
