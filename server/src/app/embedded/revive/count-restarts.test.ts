import { expect, test } from "vitest";
import { countRestarts } from "./count-restarts.ts";

test("a database that stops occasionally is always restarted; one that keeps stopping isn't", () => {
  let time = 0;
  const restarts = countRestarts(() => time);
  for (let stop = 0; stop < 100; stop += 1) {
    time += 150_000;
    expect(restarts.isTooOften()).toBe(false);
  }
  const soon = Array.from({ length: 4 }, () => {
    time += 1_000;
    return restarts.isTooOften();
  });
  expect(soon).toEqual([false, true, true, true]);
  restarts.forget();
  expect(restarts.isTooOften()).toBe(false);
});
