import { expect } from "vitest";
import { processEnvironment } from "#app/config.ts";
import type { TestApp } from "#test/support/app/test-app.ts";
import { payShop } from "#test/support/payments/pay-shop.ts";
import { type RaceReport, runRace } from "#test/support/race/race.ts";

/** Runs a race and checks its result against every rule for money. The seed is printed; RACE_SEED repeats a run. */
export async function expectFairRace(app: TestApp, orders: number): Promise<RaceReport> {
  const seed = Number(processEnvironment()["RACE_SEED"] ?? Math.floor(Math.random() * 1e9));
  const { tenant } = await payShop(app);
  const race = await runRace(app, tenant, { orders, seed });
  console.info(`race of ${orders} orders, RACE_SEED=${seed}: ${JSON.stringify({ settled: race.settled, refused: race.refused })}`);
  expect(race.faults).toEqual([]);
  expect(race.bookFaults).toEqual([]);
  expect(race.ledgerFaults).toEqual([]);
  expect(race.outcomes.length).toBeGreaterThanOrEqual(orders);
  expect(race.outcomes.filter((one) => one.paid + one.canceled > 1)).toEqual([]);
  expect(
    race.outcomes.filter((one) => (one.status === "paid") !== (one.paid === 1) || (one.status === "canceled") !== (one.canceled === 1)),
  ).toEqual([]);
  expect(race.outcomes.filter((one) => one.succeeded_sessions > 1)).toEqual([]);
  expect(race.custody).toEqual(race.sent);
  expect(race.listed).toEqual(race.sent);
  return race;
}
