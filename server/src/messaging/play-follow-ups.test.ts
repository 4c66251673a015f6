import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { playFollowUps } from "./play-follow-ups.ts";

const { ctx } = await testApp();

test("the action of a simulated recipient that fails keeps no other one from happening", async () => {
  const played: string[] = [];
  const play = async (name: string) => {
    if (name === "odd") throw new Error("no");
    played.push(name);
  };
  expect(await playFollowUps(ctx, { take: async () => ["odd", "other"], play })).toBe(2);
  expect(played).toEqual(["other"]);
});
