import { expect, test } from "vitest";
import { daysOf } from "./days-of.ts";

const span = (from: string, to: string) => ({ from: new Date(from), to: new Date(to) });
const hours = (days: ReturnType<typeof daysOf>) =>
  days.map(({ day, begins, ends }) => `${day} ${(ends.getTime() - begins.getTime()) / 3_600_000}`);

test("days are consecutive without a gap, each within the span, in every zone of this machine", () => {
  const { from, to } = span("2026-02-27T11:30:00Z", "2026-04-30T23:00:00Z");
  for (const zone of ["UTC", "EST5EDT", "ROC", ...Intl.supportedValuesOf("timeZone")]) {
    const days = daysOf({ from, to }, zone);
    expect([days[0]?.begins, days.at(-1)?.ends]).toEqual([from, to]);
    for (const [n, { begins }] of days.slice(1).entries()) expect(begins, zone).toEqual(days[n]?.ends);
    expect(new Set(days.map(({ day }) => day)).size, zone).toBe(days.length);
  }
});

test("days are as long as the clocks make them, and a day that a zone skipped doesn't exist", () => {
  expect(hours(daysOf(span("2026-03-28T23:00:00Z", "2026-03-30T22:00:00Z"), "Europe/Berlin"))).toEqual(["2026-03-29 23", "2026-03-30 24"]);
  expect(hours(daysOf(span("2026-10-31T04:00:00Z", "2026-11-03T05:00:00Z"), "America/Havana"))).toEqual([
    "2026-10-31 24",
    "2026-11-01 25",
    "2026-11-02 24",
  ]);
  expect(hours(daysOf(span("2011-12-29T10:00:00Z", "2012-01-01T10:00:00Z"), "Pacific/Apia"))).toEqual([
    "2011-12-29 24",
    "2011-12-31 24",
    "2012-01-01 24",
  ]);
});
