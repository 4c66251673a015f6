import { expect, test } from "vitest";
import { completeNumber, readingsOf } from "./complete-number.ts";
import { reachesNumber } from "./reach.ts";
import { readTelephone } from "./read-telephone.ts";

test.each([
  ["+8613800138000", "CN"],
  ["+14155552671", "US"],
  ["+16135550142", "CA"],
  ["+447400123456", "GB"],
  ["+4915123456789", "DE"],
])("%s is a number of %s", (number, country) => {
  expect(readTelephone(number, { strict: true })).toEqual({ number, country });
});

test("an unassigned number is refused in LIVE and accepted in TEST", () => {
  expect(readTelephone("+15551230000", { strict: true })).toBe("not_a_telephone_number");
  expect(readTelephone("+15551230000", { strict: false })).toEqual({ number: "+15551230000", country: "US" });
});

test.each([
  "",
  "+",
  "12",
  "4155552671",
  "0049151234567",
  "+0123456789",
  "+1 415 555 2671",
  "+1415555267a",
  "+1234567890123456",
  "+14155552671;ext=5",
  "tel:+14155552671",
])("%j isn't a telephone number", (text) => {
  expect(readTelephone(text, { strict: false })).toBe("not_a_telephone_number");
});

test.each(["112", "911", "+112", "+1911", "+86110", "+44999", "+49112", "+61000"])("%s is an emergency number", (text) => {
  expect(readTelephone(text, { strict: false })).toBe("emergency_number");
});

test.each([
  ...[
    "+19005551234",
    "+449098790000",
    "+979123456789",
    "+491803123456",
    "+80812345678",
    "+881612345678",
    "+882161234567",
    "+883510001234567",
  ],
  ...["+870773123456", "+878101234567890"],
])("%s costs its caller extra, and is only reached if its range was opened", (text) => {
  const range = text.slice(1, 4);
  expect(readTelephone(text, { strict: false })).toBe("premium_number");
  expect(
    readTelephone(text, { strict: false, opened: [`${range}0000`, "1", `9${range}`].filter((one) => !text.startsWith(`+${one}`)) }),
  ).toBe("premium_number");
  expect(readTelephone(text, { strict: false, opened: [range] })).toMatchObject({ number: text });
});

test.each([
  ["2125552368", "+14155550100", "+12125552368"],
  ["12125552368", "+14155550100", "+12125552368"],
  ["07400123456", "+442079460018", "+447400123456"],
  ["13800138000", "+8613800138001", "+8613800138000"],
  ["+447400123456", "+14155550100", "+447400123456"],
  ["72345", "+14155550100", "72345"],
  ["0000000000", "+14155550100", "0000000000"],
  ["2125552368", "10690123", "2125552368"],
  ["2125552368", "+1 (415) 555-0100", "+12125552368"],
  ["2125552368", "tel:+14155550100", "2125552368"],
  ["2125552368", "tel:4155550100;phone-context=+1", "2125552368"],
  ["4915123456789", "+14155550100", "+4915123456789"],
  ["14155552671", "+8613800138001", "+14155552671"],
  ["8613800138000", "+8613800138001", "+8613800138000"],
  ["8613800138000", "10690123", "+8613800138000"],
  ["123456789012345", "+14155550100", "123456789012345"],
  ["ACME", "+14155550100", "ACME"],
  ["", "+14155550100", ""],
])("%j near %s is %j", (text, near, number) => {
  expect(completeNumber(text, { near })).toBe(number);
});

test.each([
  ["13800138000", ["86"], ["+8613800138000"]],
  ["13800138000", ["CN"], ["+8613800138000"]],
  ["8613800138000", ["86"], ["+8613800138000"]],
  ["07400123456", ["US", "44"], ["+447400123456"]],
  ["2125552368", ["1876"], ["+12125552368"]],
  ["12125552368", ["8610", "4"], ["+12125552368"]],
  ["13800138000", [], []],
  ["72345", ["1"], []],
])("%j over a connection to %j may be %j", (text, reach, numbers) => {
  expect(readingsOf(text, { near: "10690123", reach })).toEqual(numbers);
});

test.each([
  [["DE"], "+4915112345678", "DE", true],
  [["DE"], "+14155552671", "US", false],
  [["49"], "+4915112345678", "DE", true],
  [["49"], "+447400123456", "GB", false],
  [["4"], "+4915112345678", "DE", true],
  [["1876"], "+18765551234", "JM", true],
  [["1876"], "+14155552671", "US", false],
  [["1415"], "+14155552671", "US", true],
  [["1"], "+16135550142", "CA", true],
  [["86", "GB"], "+447400123456", "GB", true],
  [["86"], "+14155552671", "US", false],
  [[], "+14155552671", "US", true],
] as const)("a route for %j is one to %s: %s", (codes, to, country, reached) => {
  expect(reachesNumber(codes, { to, country })).toBe(reached);
});
