import { describe, expect, test } from "vitest";
import { amountRange, chooseAmounts, type NearAmount } from "./choose-amount.ts";
import { makeCode, readCodes } from "./read-codes.ts";

const now = new Date("2026-11-20T08:00:00.000Z");
const hours = (count: number) => new Date(now.getTime() + count * 3_600_000);
const near = (amount: number, more: Partial<NearAmount>): NearAmount => ({
  amount,
  taken_until: hours(-1),
  asked_until: null,
  nominal_until: null,
  ...more,
});
const wanted = { nominal_minor: 6100, max_offset_minor: 3, min_minor: null };

describe("the requested amount", () => {
  test.each([
    ["at most what the profile allows", { ...wanted }, { low: 6097, high: 6099 }],
    ["at most 5 %", { ...wanted, nominal_minor: 100, max_offset_minor: 99 }, { low: 95, high: 99 }],
    ["at least one less, of the smallest price too", { ...wanted, nominal_minor: 2, max_offset_minor: 99 }, { low: 1, high: 1 }],
    ["never nothing", { ...wanted, nominal_minor: 1 }, null],
    ["never below the channel's least amount", { ...wanted, min_minor: 6098 }, { low: 6098, high: 6099 }],
    ["none where the channel's least amount is the price", { ...wanted, min_minor: 6100 }, null],
  ])("is lowered by %s", (_name, given, range) => {
    expect(amountRange(given)).toEqual(range);
  });

  test.each<[string, NearAmount[], number[]]>([
    ["the smallest reduction first, never the price itself", [], [6099, 6098, 6097]],
    ["nothing that another order holds", [near(6099, { taken_until: hours(1) })], [6098, 6097]],
    ["nothing that is another order's own price there", [near(6098, { taken_until: hours(1), nominal_until: hours(1) })], [6099, 6097]],
    ["what was not asked in a day before what was", [near(6099, { asked_until: hours(-2) })], [6098, 6097, 6099]],
    [
      "of what was asked in a day the one asked longest ago",
      [near(6099, { asked_until: hours(-1) }), near(6098, { asked_until: hours(-3) }), near(6097, { asked_until: hours(-2) })],
      [6098, 6097, 6099],
    ],
    ["what was no order's price in 30 days before what was", [near(6099, { nominal_until: hours(-48) })], [6098, 6097, 6099]],
  ])("is %s", (_name, rows, amounts) => {
    expect(chooseAmounts(wanted, rows, now)).toEqual(amounts);
  });
});

describe("codes in a note", () => {
  const plain = [
    ["48213", ["48213"]],
    ["转账备注:48213", ["48213"]],
    ["for order 48213, thanks", ["48213"]],
    ["４８２１３", ["48213"]],
    ["482 13", ["48213"]],
    ["482\u300013", ["48213"]],
    ["2 12345", ["12345", "212345"]],
    ["1482131", []],
    ["48213 and 59321", ["48213", "59321"]],
    ["48213-59321", ["48213", "59321"]],
    ["", []],
  ] as const;

  test.each(plain)("%j reads as %j", (note, codes) => {
    expect(
      readCodes(note)
        .map(({ code }) => code)
        .toSorted(),
    ).toEqual(codes);
    expect(readCodes(note).every(({ sure }) => sure)).toBe(true);
  });

  test.each([
    ["18971 261122", "18971"],
    ["18971-261122", "18971"],
    ["189712 26112", "189712"],
    ["15 38971 2026", "38971"],
    ["189 71 261122", "18971"],
    ["482 13 261122", "48213"],
    ["2026 482 13", "48213"],
    ["86 18971 261122", "18971"],
  ])("%j may contain %s among other digits, which only counts with the exact amount", (note, code) => {
    expect(readCodes(note)).toContainEqual({ code, sure: false });
  });

  test.each([
    "138 1234 5678",
    "13812345678",
    "138-12345678",
    "138-12345-678",
    "(138)12345 678",
    "138 123 45678",
    "1381 234 5678",
    "1381234 5678",
    "+86 138 12345 678",
    "+86138 12345 678",
    "0086 138 123 45678",
    "138.12345.678",
    "电话 １３８ １２３ ４５６７８",
  ])("none is read from the phone number %j", (note) => {
    expect(readCodes(note)).toEqual([]);
  });

  test("are five digits, or six that aren't a date in any order", () => {
    let pick = 0;
    const spread = (below: number) => (pick += 7919) % below;
    for (let round = 0; round < 20_000; round += 1) {
      expect(makeCode(5, spread)).toMatch(/^[1-9]\d{4}$/);
      const code = makeCode(6, spread);
      const [a, b, c] = [Number(code.slice(0, 2)), Number(code.slice(2, 4)), Number(code.slice(4))] as [number, number, number];
      const isDate = (month: number, day: number) => month >= 1 && month <= 12 && day >= 1 && day <= 31;
      expect(isDate(b, c) || isDate(b, a) || isDate(a, b), code).toBe(false);
    }
  });
});
