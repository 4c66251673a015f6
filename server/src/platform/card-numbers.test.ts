import { describe, expect, test } from "vitest";
import { maskCardNumbers, refuseCardNumbers } from "./index.ts";

const refused: Record<string, string> = {
  "a plain number": "4111111111111111",
  "groups of four": "my card is 4111 1111 1111 1111, thanks",
  "an expiry date behind it": "4111 1111 1111 1111 12/27 123",
  "a number of another kind before it": "77 4111-1111-1111-1111",
  "fifteen digits": "3782 822463 10005",
};
const allowed: Record<string, string> = {
  "an order number of sixteen digits in no card's range": "1000 0499 0120 2611",
  "a transfer's number of 28 digits": "1000049901202611201234567890",
  "a card's prefix with a wrong checksum": "4111 1111 1111 1112",
  "a moment": "2026-11-20 16 01 00 000",
};

describe("a buyer's text", () => {
  for (const [what, text] of Object.entries(refused)) {
    test(`is refused with ${what}`, () =>
      expect(() => refuseCardNumbers({ note: text })).toThrow(expect.objectContaining({ code: "card_number_refused" })));
    test(`is masked in logs with ${what}`, () => expect(maskCardNumbers(text)).not.toMatch(/1111.?1111|822463/));
  }
  for (const [what, text] of Object.entries(allowed))
    test(`may contain ${what}`, () => expect(() => refuseCardNumbers({ note: text })).not.toThrow());
});
