import { expect, it } from "vitest";
import { createPace } from "./pace.ts";

it("a relay without a limit gets the next message at once, also after the clock was set back", async () => {
  let now = Date.parse("2026-11-29T12:00:00Z");
  const pace = createPace({ now: () => new Date(now), timeoutMs: 5_000 });
  const { signal } = new AbortController();
  expect(await pace.take(signal)).toBe(null);
  pace.succeed();
  now -= 3_600_000;
  expect(await pace.take(signal)).toBe(null);
});
