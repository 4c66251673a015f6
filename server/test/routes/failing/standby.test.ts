import { randomInt } from "node:crypto";
import { expect, test } from "vitest";
import { callers } from "./ask-all.ts";
import { openStandby } from "./standby.ts";

const { askAll } = await openStandby();
const start = randomInt(callers.length);

test("on a standby every request, of a key or of a signed-in person in turn, is served from the data, refused, or gets 503: none gets 500", async () => {
  const { faults, unavailable } = await askAll((place) => ((place + start) % callers.length === 0 ? "a key" : "a signed-in person"));
  expect(faults).toEqual([]);
  expect(unavailable).toBeGreaterThan(20);
});
