import { expect, test } from "vitest";
import { countOf, decimalOf, microsOf } from "./amounts.ts";

test.each([
  ["0.0075", 7_500],
  ["12", 12_000_000],
  ["0.000001", 1],
  ["1.5", 1_500_000],
])("%s is %i millionths, and is written the same again", (text, amount) => {
  expect([microsOf(text), decimalOf(amount)]).toEqual([amount, text]);
});

test.each(["", "1,5", "-1", "0.0000001", "1e3", "abc"])("%j isn't an amount", (text) => {
  expect(microsOf(text)).toBeNull();
  expect(countOf(text)).toBeNull();
});
