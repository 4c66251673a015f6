import { expect, it } from "vitest";
import { gatewayKillRounds, gatewayKillWorld, threeProviders } from "./kill-rounds.ts";

const world = await gatewayKillWorld(threeProviders);

it("has the providers' truth in its books after a kill under bad connections", async () => {
  const report = await gatewayKillRounds(world, { kills: 1, paymentsBetween: 24, takesOver: true });
  expect(report.unexpectedAnswers).toEqual([]);
  expect(report.faults).toEqual([]);
  expect(report.taken).toBeGreaterThan(5);
});
