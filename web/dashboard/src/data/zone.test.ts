import { expect, test } from "vitest";
import { dateOf, instantOf, isKnownZone, midnightOf, minuteOf, wallClock } from "./zone.ts";

test.each([
  ["an ordinary time", "2026-11-20T16:30", "Asia/Shanghai", "2026-11-20T08:30:00.000Z"],
  ["half an hour", "2026-11-20T16:30", "Asia/Kolkata", "2026-11-20T11:00:00.000Z"],
  ["the first of two", "2026-10-25T02:30", "Europe/Berlin", "2026-10-25T00:30:00.000Z"],
  ["a time that clocks skip", "2026-03-29T02:30", "Europe/Berlin", "2026-03-29T01:30:00.000Z"],
  ["just after the gap", "2026-03-29T03:00", "Europe/Berlin", "2026-03-29T01:00:00.000Z"],
  ["midnight that clocks skip", "2026-04-24T00:00", "Africa/Cairo", "2026-04-23T22:00:00.000Z"],
  ["thousandths", "2026-11-20T16:30:59.999", "UTC", "2026-11-20T16:30:59.999Z"],
  ["a year half typed", "0002-11-20T00:00", "UTC", "0002-11-20T00:00:00.000Z"],
])("%s becomes its time", (_name, wall, zone, instant) => expect(instantOf(wall, zone).toISOString()).toBe(instant));

test("every hour of a year is recovered from its wall clock, except the second of two", () => {
  for (const zone of ["Asia/Shanghai", "America/New_York", "Australia/Lord_Howe", undefined]) {
    const repeated = Array.from({ length: 8760 }, (_none, hour) => new Date(Date.UTC(2026, 0, 1, hour))).filter(
      (at) => instantOf(wallClock(at, zone), zone).getTime() !== at.getTime(),
    );
    expect(repeated.length).toBeLessThanOrEqual(1);
  }
});

test("writes what the browser's fields accept", () => {
  const at = new Date("2026-11-20T17:30:15Z");
  expect(minuteOf(at, "Asia/Shanghai")).toBe("2026-11-21T01:30");
  expect(dateOf(at, "America/New_York")).toBe("2026-11-20");
  expect(midnightOf("2026-03-29", 1, "Europe/Berlin").toISOString()).toBe("2026-03-29T22:00:00.000Z");
  expect([isKnownZone("Asia/Shanghai"), isKnownZone("Mars/Olympus")]).toEqual([true, false]);
});
