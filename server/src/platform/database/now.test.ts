import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { findNow } from "../index.ts";

const { ctx, clock } = await testApp();

test("the database returns the time that a test sets, to every later query", async () => {
  expect(await findNow(ctx.db)).toEqual(clock.now());
  clock.advance(90_000);
  expect(await findNow(ctx.db)).toEqual(clock.now());
  await ctx.transact(async (tx) => {
    clock.set("2027-01-01T00:00:00.000Z");
    expect(await findNow(tx)).toEqual(new Date("2027-01-01T00:00:00.000Z"));
  });
});
