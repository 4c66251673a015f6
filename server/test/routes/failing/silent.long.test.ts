import { expect, test } from "vitest";
import { callers } from "./ask-all.ts";
import { openSilent } from "./silent.ts";

const { askAll } = await openSilent();

test.each(callers)(
  "if the database stops responding at any moment, the waits of every request of %s end together: it is served from what was read, or gets 503",
  async (caller) => {
    const { faults, unavailable } = await askAll(() => caller);
    expect(faults).toEqual([]);
    expect(unavailable).toBeGreaterThan(100);
  },
);
