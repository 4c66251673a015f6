import { describe, expect, test } from "vitest";
import { waitAsAsked } from "./calendar.ts";

const minute = 60_000;
const day = 86_400_000;
const at = new Date("2026-11-20T08:00:00.000Z");

describe("the delay if a provider asks to wait", () => {
  test.each([
    { asked: "for no certain time", retryAfter: null, fromMs: minute },
    { asked: "for five seconds", retryAfter: 5, fromMs: minute },
    { asked: "for an hour", retryAfter: 3_600, fromMs: 60 * minute },
    { asked: "for more than a day", retryAfter: 999_999, fromMs: day },
  ])("$asked is that long, at least a minute and at most a day, and up to a minute more", ({ retryAfter, fromMs }) => {
    const waits = Array.from({ length: 100 }, (_, index) => waitAsAsked({ id: `rf_${index}`, at, retryAfter }));
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(fromMs);
    expect(Math.max(...waits)).toBeLessThan(fromMs + minute);
    expect(new Set(waits).size).toBeGreaterThan(50);
  });

  test("differs from time to time", () => {
    const times = Array.from({ length: 100 }, (_, index) => new Date(at.getTime() + index));
    expect(new Set(times.map((time) => waitAsAsked({ id: "rf_1", at: time, retryAfter: null }))).size).toBeGreaterThan(50);
  });
});
