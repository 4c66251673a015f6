import { expect, test } from "vitest";
import { recipientOf } from "./recipient.ts";

test.each([
  ["+15005551000", "+15005551000"],
  [" +1 (500) 555-1000 ", "+15005551000"],
  ["15005551000", "+15005551000"],
  ["Ada@Corner-Readers.com", "ada@corner-readers.com"],
  ["  ", undefined],
  [undefined, undefined],
])("finds the verifications of %j, however its recipient is written", (typed, recipient) => {
  expect(recipientOf(typed)).toBe(recipient);
});
