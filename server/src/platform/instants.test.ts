import fc from "fast-check";
import { expect, test } from "vitest";
import { isoOf } from "./instants.ts";

test("a time is written as JavaScript itself writes it", () => {
  fc.assert(
    fc.property(fc.date({ noInvalidDate: true }), (at) => isoOf(at) === at.toISOString()),
    { numRuns: 20_000 },
  );
  for (const text of [
    "1969-12-31T23:59:59.999Z",
    "0000-01-01T00:00:00.000Z",
    "+010000-01-01T00:00:00.000Z",
    "-000001-12-31T23:59:59.000Z",
  ]) {
    expect(isoOf(new Date(text))).toBe(text);
  }
  expect(isoOf(null)).toBeNull();
  expect(() => isoOf(new Date(Number.NaN))).toThrow(RangeError);
});
