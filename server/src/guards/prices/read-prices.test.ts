import { expect, test } from "vitest";
import type { AppError } from "#platform/index.ts";
import { microsOf, readPrices } from "./read-prices.ts";

const faultsOf = (work: () => unknown): unknown[][] => {
  try {
    work();
    return [];
  } catch (error) {
    const { code, extras } = error as AppError;
    return extras.details?.map(({ param, reason, values }) => [param, reason, values?.line]) ?? [["", code, undefined]];
  }
};

test.each([
  ["0", 0],
  ["0.0075", 7_500],
  ["1.000001", 1_000_001],
  ["12", 12_000_000],
  ["999999.999999", 999_999_999_999],
  ["1000000", null],
  ["0.0000001", null],
  ["-1", null],
  ["1e3", null],
  [".5", null],
  ["1,5", null],
  ["", null],
])("a price of %j is %s millionths", (text, micros) => {
  expect(microsOf(text)).toBe(micros);
});

test("a CSV file is read whatever its separators, line ends, quotes and BOM", () => {
  const rows = [
    { channel: "sms", destination: "US", price_micros: 7_500 },
    { channel: "call", destination: "1876", price_micros: 250_000 },
    { channel: "sms", destination: "*", price_micros: 100_000 },
  ];
  const lines = (cut: string) =>
    ["channel,destination,price", "sms,US,0.0075", "", 'call,"+1876",0.25', "sms,*,0.1"].map((line) => line.replaceAll(",", cut));
  expect(readPrices({ csv: `\ufeff${lines(";").join("\r\n")}\r\n` })).toEqual(rows);
  expect(readPrices({ csv: lines("\t").join("\n") })).toEqual(rows);
  expect(readPrices({ prices: rows as never })).toEqual(rows);
  expect([readPrices({ csv: "" }), readPrices({ prices: [] })]).toEqual([[], []]);
});

test("all faults of a table are reported together, each with its line", () => {
  const csv = [
    "channel,destination,price",
    "fax,US,1",
    "sms,XX,1",
    "sms,US,free",
    "sms,US",
    "sms,US,1,2",
    "sms,GB,1",
    "sms,GB,2",
    "call,+,1",
  ].join("\n");
  expect(faultsOf(() => readPrices({ csv }))).toEqual([
    ["csv", "not_a_channel", 2],
    ["csv", "not_a_destination", 3],
    ["csv", "not_a_price", 4],
    ["csv", "not_a_price_row", 5],
    ["csv", "not_a_price_row", 6],
    ["csv", "repeated", 8],
    ["csv", "not_a_destination", 9],
  ]);
  const price = { channel: "sms", price_micros: 1 } as const;
  const prices = ["US", "XX", "US"].map((destination) => ({ ...price, destination }));
  expect(faultsOf(() => readPrices({ prices }))).toEqual([
    ["prices[1].destination", "not_a_destination", undefined],
    ["prices[2].destination", "repeated", undefined],
  ]);
  expect(faultsOf(() => readPrices({ prices, csv }))).toEqual([["", "parameter_conflict", undefined]]);
  expect(faultsOf(() => readPrices({}))).toEqual([["", "parameter_missing", undefined]]);
  expect(faultsOf(() => readPrices({ csv: Array.from({ length: 10_001 }, (_none, at) => `sms,${at},1`).join("\n") }))).toEqual([
    ["", "parameter_invalid", undefined],
  ]);
});
