import { expect, test } from "vitest";
import { SimulatedWorld } from "../../testing/simulated-world.ts";
import { Ticker } from "./ticker.ts";

test("the ticker makes up for what a busy machine delayed, and skips what is long past", async () => {
  const world = new SimulatedWorld();
  let delayMs = 0;
  const surroundings = { ...world.surroundings(), after: (ms: number, callback: () => void) => world.after(ms + delayMs, callback) };
  const ticker = new Ticker(surroundings);
  let ticks = 0;
  ticker.add(
    () => void (ticks += 1),
    () => undefined,
  );
  await world.pass(1_005);
  expect(ticks).toBe(50);
  delayMs = 100;
  await world.pass(5_000);
  delayMs = 0;
  await world.pass(1_000);
  expect(ticks).toBe(350);
  delayMs = 10_000;
  await world.pass(10_100);
  expect(ticks).toBeLessThan(370);
});

test("a call whose audio fails is removed from the ticker, and the others continue", async () => {
  const world = new SimulatedWorld();
  const ticker = new Ticker(world.surroundings());
  const errors: unknown[] = [];
  const ticks = { first: 0, failing: 0, last: 0 };
  const broken = new Error("broken");
  ticker.add(
    () => void (ticks.first += 1),
    () => undefined,
  );
  ticker.add(
    () => {
      ticks.failing += 1;
      throw broken;
    },
    (error) => void errors.push(error),
  );
  ticker.add(
    () => void (ticks.last += 1),
    () => undefined,
  );
  await world.pass(101);
  expect([ticks, errors]).toEqual([{ first: 5, failing: 1, last: 5 }, [broken]]);
});
