import { expect, test } from "vitest";
import { callers } from "./ask-all.ts";
import { openStandby } from "./standby.ts";

const { askAll } = await openStandby();

test.each(callers)("on a standby every request of %s is served from the data, refused, or gets 503: none gets 500", async (caller) => {
  const { faults, unavailable } = await askAll(() => caller);
  expect(faults).toEqual([]);
  expect(unavailable).toBeGreaterThan(40);
});
