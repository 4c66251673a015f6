import { randomInt } from "node:crypto";
import { expect, test } from "vitest";
import { callers } from "./ask-all.ts";
import { openSilent } from "./silent.ts";

const { askAll } = await openSilent();
/** One route in four, and each of its callers in turn. */
const part = 4;
const start = randomInt(part * callers.length);

test("if the database stops responding at any moment, a request's waits end together: it is served from what was read, or gets 503", async () => {
  const { faults, unavailable } = await askAll((place) => {
    const turn = (place + start) % (part * callers.length);
    return turn === 0 ? "a key" : turn === part ? "a signed-in person" : null;
  });
  expect(faults).toEqual([]);
  expect(unavailable).toBeGreaterThan(20);
});
