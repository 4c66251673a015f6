import { expect, test } from "vitest";
import { readSender } from "./read-sender.ts";

test.each([
  ["+15005550006", "number"],
  ["10690123", "short_code"],
  ["12345", "short_code"],
  ["ACME", "alphanumeric"],
  ["Corner Book", "alphanumeric"],
  ["ABCDEFGHIJK", "alphanumeric"],
  ["A", "alphanumeric"],
  ["345", "short_code"],
  ["12345678", "short_code"],
  ["1stBank", "alphanumeric"],
])("%s is a sender: a %s", (value, kind) => {
  expect(readSender(value)).toEqual({ value, kind });
});

const lookalikes = [
  "\u0410CME",
  "AC\u200bME",
  "\u202eEMCA",
  "\uff21\uff23\uff2d\uff25",
  "\ufb01sh",
  "\u0130stanbul",
  "AC\u00a0ME",
  "ACME\n",
  "ACME\u0000",
];
const spellings = [
  "+1 4155552671",
  "+14155552671 ",
  "\uff0b14155552671",
  "+1415555267\u0661",
  "\u202a+14155552671",
  "+014155552671",
  "001 4155552671",
  "0123",
  "123 456",
];

test.each([
  ...[
    "",
    " ",
    " ACME",
    "ACME ",
    "ACME Books Ltd",
    "ABCDEFGHIJKL",
    "Bücher",
    "123456789",
    "12",
    "110",
    "911",
    "+110",
    "A\nB",
    "+44",
    "AC<ME",
  ],
  ...[...lookalikes, ...spellings],
])("%j isn't a sender", (value) => {
  expect(readSender(value)).toBeNull();
});
