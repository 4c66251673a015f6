import { expect, test } from "vitest";
import { createInFlight } from "./in-flight.ts";

test("admits as many as the ceiling allows, and the others in order", async () => {
  const inFlight = createInFlight({ waitMs: 1_000, depthFactor: 5 });
  expect(inFlight.enter("a", 2)).toBe(true);
  expect(inFlight.enter("a", 2)).toBe(true);
  const admitted: number[] = [];
  const waiting = [1, 2].map(async (n) => {
    if (await inFlight.enter("a", 2)) admitted.push(n);
  });
  expect(inFlight.enter("b", 2)).toBe(true);
  inFlight.leave("a");
  await waiting[0];
  expect(admitted).toEqual([1]);
  inFlight.leave("a");
  await waiting[1];
  expect(admitted).toEqual([1, 2]);
});

test("refuses immediately if the queue is full, and in time if one waits too long", async () => {
  const inFlight = createInFlight({ waitMs: 30, depthFactor: 1 });
  expect(inFlight.enter("a", 1)).toBe(true);
  const patient = inFlight.enter("a", 1);
  expect(await inFlight.enter("a", 1)).toBe(false);
  expect(await patient).toBe(false);
  inFlight.leave("a");
  expect(inFlight.enter("a", 1)).toBe(true);
});
