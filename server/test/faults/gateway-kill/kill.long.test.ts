import { expect, it } from "vitest";
import { gatewayKillRounds, gatewayKillWorld } from "./kill-rounds.ts";

const world = await gatewayKillWorld();

it("has the providers' truth in its books after 100 kills under bad connections", async () => {
  const { faults, unexpectedAnswers, ...figures } = await gatewayKillRounds(world, { kills: 100, paymentsBetween: 15 });
  console.info(figures);
  expect(unexpectedAnswers).toEqual([]);
  expect(faults).toEqual([]);
  expect(figures.taken).toBeGreaterThan(600);
});
