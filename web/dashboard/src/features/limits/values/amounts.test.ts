import { expect, test } from "vitest";
import { countOf, decimalOf, decimalsOf, microsOf, priceParts, priceText } from "./amounts.ts";

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

test("a price is shown with two to six decimals, and what follows them is known", () => {
  expect([7_500, 32_145, 40_000, 1_000_000].map(decimalsOf)).toEqual([4, 6, 2, 2]);
  expect(priceText("en-US", 7_500, "USD")).toBe("$0.0075");
  expect(priceParts("de-DE", 40_000, "EUR")).toEqual(["0,04", "\u00a0€"]);
});
