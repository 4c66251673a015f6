import { describe, expect, it, test } from "vitest";
import { chooseMatch, foldId, formOf, type IdForm, spellingsOf } from "./provider-ids.ts";

const spellings: [given: string, reported: string, form: IdForm | null][] = [
  ["abc-1", "abc-1", "exact"],
  ["1A2B", "1a2b", "case"],
  ["0000123", "123", "zeros"],
  ["123", "0000000123", "zeros"],
  ["0x12", "0x12", "exact"],
  ["1A2B3C4D", "439041101", "hexadecimal"],
  ["00001a2b3c4d", "439041101", "hexadecimal"],
  ["439041101", "1A2B3C4D", "decimal"],
  ["439041101", "001a2b3c4d", "decimal"],
  ["12345678901234567890", "ab54a98ceb1f0ad2", "decimal"],
  ["0", "000", "zeros"],
  ["123", "124", null],
  ["abc-1", "abc-2", null],
  ["10", "g16", null],
  ["5f0c2f7e-0001-4d6e", "5f0c2f7e-0001-4d6f", null],
];

test.each(spellings)("%s reported as %s is the same id as %s", (given, reported, form) => {
  expect(formOf(given, reported)).toBe(form);
  if (form !== null) expect(spellingsOf(reported)).toContain(foldId(given));
});

it("reads an id of thousands of digits in no time, and converts none longer than a carrier's", () => {
  expect(spellingsOf("9".repeat(5_000))).toEqual(["9".repeat(5_000)]);
});

const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 8, minute));
const part = (provider_message_id: string, minute = 0) => ({ provider_message_id, created_at: at(minute) });

describe("of several parts that a report may be about", () => {
  it("the closest spelling counts", () => {
    const [hexadecimal, exact] = [part("10"), part("16")];
    expect(chooseMatch([hexadecimal, exact], "16", null)).toEqual({ part: exact, form: "exact", isExpected: true, isInstructive: false });
  });

  it("the spelling counts that the carrier is known to use", () => {
    const [hexadecimal, exact] = [part("10"), part("16")];
    expect(chooseMatch([hexadecimal, exact], "16", "hexadecimal")).toEqual({
      part: hexadecimal,
      form: "hexadecimal",
      isExpected: true,
      isInstructive: false,
    });
  });

  it("the newest counts if a carrier used an id twice", () => {
    const [older, newer] = [part("77", 1), part("77", 2)];
    expect(chooseMatch([older, newer], "77", null)).toEqual({ part: newer, form: "exact", isExpected: true, isInstructive: true });
  });

  it.each<[known: IdForm | null, given: string, reported: string, judged: { isExpected: boolean; isInstructive: boolean }]>([
    [null, "10", "16", { isExpected: false, isInstructive: true }],
    ["exact", "10", "16", { isExpected: false, isInstructive: false }],
    ["zeros", "10", "16", { isExpected: false, isInstructive: false }],
    ["case", "0016", "16", { isExpected: true, isInstructive: true }],
    ["hexadecimal", "10", "16", { isExpected: true, isInstructive: true }],
    ["hexadecimal", "16", "16", { isExpected: false, isInstructive: true }],
    ["decimal", "10", "16", { isExpected: false, isInstructive: true }],
  ])("if %s is known, %s isn't mistaken for %s", (known, given, reported, judged) => {
    expect(chooseMatch([part(given)], reported, known)).toMatchObject(judged);
  });

  it("none counts that is spelled differently in every way", () => {
    expect(chooseMatch([part("77"), { provider_message_id: null, created_at: at(0) }], "78", "exact")).toBeNull();
  });
});
