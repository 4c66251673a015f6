import { expect, it } from "vitest";
import { everyProvider, gatewayKillRounds, gatewayKillWorld } from "./kill-rounds.ts";

const world = await gatewayKillWorld(everyProvider);

it("has every provider's truth, payments and refunds, in its books one cycle after 100 kills under bad connections", async () => {
  const { faults, unexpectedAnswers, ...figures } = await gatewayKillRounds(world, { kills: 100, paymentsBetween: 15, refunds: true });
  console.info(figures);
  expect(unexpectedAnswers).toEqual([]);
  expect(faults).toEqual([]);
  expect(figures.taken).toBeGreaterThan(600);
  expect(figures.paidBack).toBeGreaterThan(100);
});
