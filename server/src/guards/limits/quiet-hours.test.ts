import { expect, test, vi } from "vitest";
import { quietEnd } from "./quiet-hours.ts";

const night = { from: "21:00", to: "08:00" };

test.each([
  ["in the afternoon", "CN", "2026-11-24T08:00:00Z", night, "2026-11-24T08:00:00.000Z"],
  ["late in the evening, until the next morning", "CN", "2026-11-24T14:30:00Z", night, "2026-11-25T00:00:00.000Z"],
  ["before dawn, until the same morning", "CN", "2026-11-23T20:10:00Z", night, "2026-11-24T00:00:00.000Z"],
  ["at the very minute that they begin", "GB", "2026-11-24T21:00:00Z", night, "2026-11-25T08:00:00.000Z"],
  ["at the very minute that they end", "GB", "2026-11-24T08:00:00Z", night, "2026-11-24T08:00:00.000Z"],
  ["in summer, an hour earlier", "GB", "2026-07-24T20:30:00Z", night, "2026-07-25T07:00:00.000Z"],
  ["in all zones of a wide country at once", "US", "2026-11-24T14:00:00Z", night, "2026-11-24T18:00:00.000Z"],
  ["over noon, too", "DE", "2026-11-24T11:20:00Z", { from: "12:00", to: "14:00" }, "2026-11-24T13:00:00.000Z"],
  [
    "where no time suits all of a country, by one of its zones",
    "US",
    "2026-11-24T14:00:00Z",
    { from: "20:00", to: "19:00" },
    "2026-11-25T05:00:00.000Z",
  ],
  ["of no country", "ZZ", "2026-11-24T02:00:00Z", night, "2026-11-24T02:00:00.000Z"],
])("a message that is due %s is sent when they are over", (_name, country, at, span, then) => {
  expect(quietEnd(new Date(at), { country, span }).toISOString()).toBe(then);
});

test.each([
  ["in the night that clocks are put forward", "GB", "2026-03-28T22:00:00Z", night, "2026-03-29T07:00:00.000Z"],
  ["in the night that they are put back", "GB", "2026-10-24T21:30:00Z", night, "2026-10-25T08:00:00.000Z"],
  [
    "with a morning that no quarter of an hour begins",
    "GB",
    "2026-11-24T03:00:00Z",
    { from: "21:00", to: "07:50" },
    "2026-11-24T08:00:00.000Z",
  ],
])("the morning is found %s", (_name, country, at, span, then) => {
  expect(quietEnd(new Date(at), { country, span }).toISOString()).toBe(then);
});

test.each(["GB", "US", "RU"])("in %s the end of the longest night is found with a few reads of each zone's clock", (country) => {
  const span = { from: "20:00", to: "10:00" };
  quietEnd(new Date("2026-12-01T02:03:00Z"), { country, span });
  const looks = vi.spyOn(Temporal.Instant, "fromEpochMilliseconds");
  quietEnd(new Date("2026-12-01T02:03:00Z"), { country, span });
  expect(looks.mock.calls.length).toBeLessThan(150);
  looks.mockRestore();
});
