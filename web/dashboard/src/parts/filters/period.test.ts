import { describe, expect, test } from "vitest";
import { periodOf } from "./period.ts";

const now = new Date(2026, 10, 15, 14, 30);
const at = (year: number, month: number, day: number) => new Date(year, month - 1, day).toISOString();

describe("days in a page's URL become times of the reader's clock", () => {
  const cases: [string, Record<string, string>, object][] = [
    ["nothing", {}, {}],
    ["today", { since: "1" }, { "created[gte]": at(2026, 11, 15) }],
    ["seven days, today among them", { since: "7" }, { "created[gte]": at(2026, 11, 9) }],
    ["this month", { since: "month" }, { "created[gte]": at(2026, 11, 1) }],
    ["the whole of last month", { since: "last-month" }, { "created[gte]": at(2026, 10, 1), "created[lt]": at(2026, 11, 1) }],
    [
      "the last day counts whole",
      { from: "2026-10-31", to: "2026-10-31" },
      { "created[gte]": at(2026, 10, 31), "created[lt]": at(2026, 11, 1) },
    ],
    ["an open end", { from: "2025-12-31" }, { "created[gte]": at(2025, 12, 31) }],
    ["what is no date is no filter", { from: "yesterday", to: "" }, {}],
  ];
  test.each(cases)("%s", (_name, given, period) => expect(periodOf(given, undefined, now)).toEqual(period));

  test("a month that begins before January ends in the year before", () => {
    expect(periodOf({ since: "last-month" }, undefined, new Date(2026, 0, 3))).toEqual({
      "created[gte]": at(2025, 12, 1),
      "created[lt]": at(2026, 1, 1),
    });
  });

  test("in a project's time zone, days begin at its midnight", () => {
    const evening = new Date("2026-10-31T17:00:00Z");
    expect(periodOf({ since: "1" }, "Asia/Shanghai", evening)).toEqual({ "created[gte]": "2026-10-31T16:00:00.000Z" });
    expect(periodOf({ since: "month" }, "Asia/Shanghai", evening)).toEqual({ "created[gte]": "2026-10-31T16:00:00.000Z" });
    expect(periodOf({ since: "month" }, "America/New_York", evening)).toEqual({ "created[gte]": "2026-10-01T04:00:00.000Z" });
    const longDay = { "created[gte]": "2026-11-01T04:00:00.000Z", "created[lt]": "2026-11-02T05:00:00.000Z" };
    expect(periodOf({ from: "2026-11-01", to: "2026-11-01" }, "America/New_York")).toEqual(longDay);
    expect(periodOf({ from: "2026-13-01" }, "UTC")).toEqual({});
  });
});
