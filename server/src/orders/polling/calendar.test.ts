import { describe, expect, test } from "vitest";
import { firstPollMs, scheduleAt, waitAsAsked } from "./calendar.ts";

const minute = 60_000;
const hour = 3_600_000;
const day = 86_400_000;
const at = new Date("2026-11-20T08:00:00.000Z");

test.each([
  { age: "new", ageMs: 0, expected: { polls: 0, nextMs: firstPollMs } },
  { age: "four minutes old", ageMs: 4 * minute, expected: { polls: 0, nextMs: minute } },
  { age: "five minutes old", ageMs: 5 * minute, expected: { polls: 1, nextMs: hour } },
  { age: "a day and 65 minutes old", ageMs: day + 65 * minute, expected: { polls: 3, nextMs: day } },
  { age: "stored by a clock that was a second ahead", ageMs: -1_000, expected: { polls: 0, nextMs: firstPollMs } },
  { age: "stored by a clock that was 30 days ahead", ageMs: -30 * day, expected: { polls: 0, nextMs: firstPollMs } },
])("the schedule of something that is $age is $expected", ({ ageMs, expected }) => {
  expect(scheduleAt(ageMs)).toEqual(expected);
});

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
