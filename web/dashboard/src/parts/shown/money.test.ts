import { expect, test } from "vitest";
import { currencyExponent, readCurrency } from "../../../../../server/src/platform/money/money.ts";
import { exponentOf, moneyText } from "../../words/money-text.ts";
import { amountText, parseAmount } from "./money.tsx";

test.each([
  ["99.50", "EUR", 9_950],
  ["99,50", "EUR", 9_950],
  ["1,5", "EUR", 150],
  ["0,99", "EUR", 99],
  [" 100 ", "EUR", 10_000],
  ["1,234", "EUR", 123_400],
  ["1,234.50", "EUR", 123_450],
  ["1.234,50", "EUR", 123_450],
  ["1,234,567", "EUR", 123_456_700],
  ["1,500", "JPY", 1_500],
  ["1.5", "KWD", 1_500],
  ["1,234.500", "KWD", 1_234_500],
])("%j typed for %s is %i in minor units", (text, currency, minor) => {
  expect(parseAmount(text, currency)).toBe(minor);
});

test.each([
  ["1,23,4", "EUR"],
  ["1,2345", "EUR"],
  ["1.234", "EUR"],
  ["12,3456.00", "EUR"],
  ["99.5", "JPY"],
  ["99,5", "JPY"],
  ["1,234", "KWD"],
  ["0,00", "EUR"],
  ["-1", "EUR"],
  ["1e3", "EUR"],
  ["", "EUR"],
])("%j typed for %s isn't an amount, or could be two", (text, currency) => {
  expect(parseAmount(text, currency)).toBeNull();
});

test.each(["IQD", "RSD", "HUF", "COP", "IRR", "LBP", "JPY", "KWD", "CLF", "CNY"])(
  "%s has the server's decimals in every browser",
  (currency) => {
    expect(readCurrency(currency)).toBe(currency);
    const exponent = currencyExponent(currency);
    expect(exponentOf(currency)).toBe(exponent);
    expect(amountText(1_234_567, currency)).toBe((1_234_567 / 10 ** exponent).toFixed(exponent));
    const decimals = /[.](\d+)/.exec(moneyText("en-US", 1_234_567, currency))?.[1] ?? "";
    expect(decimals).toHaveLength(exponent);
  },
);

test.each(["SATS", "EURO", "EU", "", "€", "XXX", "__proto__", "constructor"])("%j is no currency", (text) => {
  expect(readCurrency(text)).toBeNull();
});
