import { expect, test } from "vitest";
import { readSender } from "./read-sender.ts";

test.each([
  ["+15005550006", "number"],
  ["10690123", "short_code"],
  ["12345", "short_code"],
  ["ACME", "alphanumeric"],
  ["Corner Book", "alphanumeric"],
  ["1stBank", "alphanumeric"],
])("%s is a sender: a %s", (value, kind) => {
  expect(readSender(value)).toEqual({ value, kind });
});

test.each(["", " ACME", "ACME ", "ACME Books Ltd", "Bücher", "123456789", "12", "110", "911", "+110", "A\nB", "+44", "AC<ME"])("%j is no sender", (value) => {
  expect(readSender(value)).toBeNull();
});
