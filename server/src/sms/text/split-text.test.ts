import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { partsOf } from "./encode-parts.ts";
import { septetsOf } from "./gsm7.ts";
import { normalizeText } from "./smart-encoding.ts";
import { charactersBeyondGsm7, splitText } from "./split-text.ts";

const gsm = "GSM-7";
const ucs2 = "UCS-2";

/** A text, its encoding, its length in units, and how its parts divide it. */
const table: [name: string, text: string, encoding: string, units: number, parts: number[]][] = [
  ["one character", "a", gsm, 1, [1]],
  ["160 septets in one part", "a".repeat(160), gsm, 160, [160]],
  ["161 septets in two", "a".repeat(161), gsm, 161, [153, 8]],
  ["306 septets in two", "a".repeat(306), gsm, 306, [153, 153]],
  ["307 septets in three", "a".repeat(307), gsm, 307, [153, 153, 1]],
  ["the euro sign as two septets", "€", gsm, 2, [1]],
  ["80 euro signs in one part", "€".repeat(80), gsm, 160, [80]],
  ["81 euro signs in two, none cut in two", "€".repeat(81), gsm, 162, [76, 5]],
  ["an escape that would be the 153rd septet, in the next part", `${"a".repeat(152)}€${"a".repeat(10)}`, gsm, 164, [152, 11]],
  ["every extension character, counted twice", "\f^{}\\[~]|€", gsm, 20, [10]],
  ["Greek capitals of the default alphabet", "ΔΦΓΛΩΠΨΣΘΞ", gsm, 10, [10]],
  ["line ends", "a\r\nb", gsm, 4, [4]],
  ["one character beyond GSM-7", "ç", ucs2, 1, [1]],
  ["70 code units in one part", "中".repeat(70), ucs2, 70, [70]],
  ["71 code units in two", "中".repeat(71), ucs2, 71, [67, 4]],
  ["a surrogate pair as two code units", "😀", ucs2, 2, [2]],
  ["35 emoji in one part", "😀".repeat(35), ucs2, 70, [70]],
  ["36 emoji in two, none cut in two", "😀".repeat(36), ucs2, 72, [66, 6]],
  ["a pair that would begin at the 67th unit, in the next part", `${"中".repeat(66)}😀中中中中`, ucs2, 72, [66, 6]],
  ["an extension character in a text that is not GSM-7", "€中", ucs2, 2, [2]],
];

describe("a text is sent as", () => {
  test.each(table)("%s", (_name, text, encoding, units, parts) => {
    const split = splitText(text);
    expect([split.encoding, split.units, split.segments.map(({ length }) => length)]).toEqual([encoding, units, parts]);
  });
});

const bounds = { [gsm]: { single: 160, each: 153 }, [ucs2]: { single: 70, each: 67 } } as const;

it("loses nothing of any text, and splits no character", () => {
  const anyText = fc.oneof(
    fc.string({ unit: "binary", maxLength: 700 }),
    fc.string({ unit: "grapheme", maxLength: 300 }),
    fc.string({ unit: fc.constantFrom(..."ab€{}中😀é\n"), maxLength: 800 }),
  );
  fc.assert(
    fc.property(anyText, (text) => {
      const { encoding, segments, units } = splitText(text);
      expect(segments.join("")).toBe(text);
      const sizeOf = (segment: string) =>
        encoding === gsm ? [...segment].reduce((sum, one) => sum + (septetsOf(one)?.length ?? 0), 0) : segment.length;
      expect(segments.reduce((sum, segment) => sum + sizeOf(segment), 0)).toBe(units);
      const { single, each } = bounds[encoding];
      for (const segment of segments) {
        expect(sizeOf(segment)).toBeLessThanOrEqual(segments.length === 1 ? single : each);
        expect(segment.isWellFormed()).toBe(true);
      }
    }),
  );
});

it("joins the payloads of any text to the same text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 400 }), fc.integer({ min: 0, max: 255 }), (text, reference) => {
      const parts = partsOf(text, reference);
      const texts = parts.map((part, index) => {
        if (part.hasHeader) expect([...part.bytes.subarray(0, 6)]).toEqual([5, 0, 3, reference, parts.length, index + 1]);
        const bytes = part.hasHeader ? part.bytes.subarray(6) : part.bytes;
        return part.encoding === gsm ? readSeptets(bytes) : Buffer.from(bytes).swap16().toString("utf16le");
      });
      expect(texts.join("")).toBe(text);
    }),
  );
});

const characters = new Map<string, string>();
for (let code = 0; code < 0x2100; code += 1) {
  const character = String.fromCharCode(code);
  const septets = septetsOf(character);
  if (septets !== null) characters.set(septets.join(" "), character);
}

/** Reads unpacked septets without the table that wrote them. */
function readSeptets(bytes: Buffer): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 1) {
    const isEscape = bytes[at] === 0x1b;
    text += characters.get(isEscape ? `27 ${bytes[at + 1]}` : String(bytes[at])) ?? "?";
    if (isEscape) at += 1;
  }
  return text;
}

test("the default alphabet has the septets of the standard", () => {
  const known: [string, number[]][] = [
    ["@", [0x00]],
    ["\n", [0x0a]],
    ["\r", [0x0d]],
    ["Δ", [0x10]],
    ["Ξ", [0x1a]],
    ["Æ", [0x1c]],
    [" ", [0x20]],
    ["¤", [0x24]],
    ["0", [0x30]],
    ["¡", [0x40]],
    ["A", [0x41]],
    ["Ä", [0x5b]],
    ["§", [0x5f]],
    ["¿", [0x60]],
    ["a", [0x61]],
    ["à", [0x7f]],
    ["€", [0x1b, 0x65]],
    ["^", [0x1b, 0x14]],
    ["|", [0x1b, 0x40]],
    ["\f", [0x1b, 0x0a]],
  ];
  for (const [character, septets] of known) expect([character, septetsOf(character)]).toEqual([character, septets]);
  for (const none of ["\u001b", "`", "ç", "´", "\t"]) expect([none, septetsOf(none)]).toEqual([none, null]);
});

describe("smart encoding", () => {
  test.each([
    ["curly quotes, dashes and spaces", "\u201cIt\u2019s\u00a0ready\u201d \u2013 really\u2026", '"It\'s ready" - really...'],
    ["nothing where the text would be UCS-2 all the same", "\u201c好\u201d", "\u201c好\u201d"],
    ["nothing that GSM-7 has", "{é} €", "{é} €"],
  ])("replaces %s", (_name, text, expected) => {
    expect(normalizeText(text, { smart: true })).toBe(expected);
    expect(normalizeText(text, { smart: false })).toBe(text);
  });

  it("composes characters first, so that a letter with an accent is one", () => {
    expect(normalizeText("e\u0301", { smart: false })).toBe("é");
    expect(splitText(normalizeText("e\u0301", { smart: false })).encoding).toBe(gsm);
  });
});

test("the characters that require UCS-2 are listed once each", () => {
  expect(charactersBeyondGsm7("a\u2019b\u2019c中😀")).toEqual(["\u2019", "中", "😀"]);
});
