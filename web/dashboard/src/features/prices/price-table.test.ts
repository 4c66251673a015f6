import { expect, test } from "vitest";
import { channelsWithGaps, csvOf, type Price, withPrice } from "./price-table.ts";

const us: Price = { channel: "sms", destination: "US", price_micros: 7_500 };
const all: Price = { channel: "call", destination: "*", price_micros: 40_000 };

test("a price replaces the one that it was, and one for the same destination", () => {
  const jamaica: Price = { ...us, destination: "1876" };
  expect(withPrice([us, all], us, jamaica)).toEqual([all, jamaica]);
  expect(withPrice([us, all], null, { ...us, price_micros: 1 })).toEqual([all, { ...us, price_micros: 1 }]);
  expect(withPrice([us, all], all, null)).toEqual([us]);
});

test("a table is exported in the format that can be imported, with a byte order mark", () => {
  expect(csvOf([us, all])).toBe("\ufeffchannel,destination,price\r\nsms,US,0.0075\r\ncall,*,0.04\r\n");
});

test("a channel with prices, but none for everywhere else, omits countries", () => {
  expect(channelsWithGaps([us, all])).toEqual(["sms"]);
  expect(channelsWithGaps([{ ...us, destination: "*" }, all])).toEqual([]);
  expect(channelsWithGaps([])).toEqual([]);
});
