import fc from "fast-check";
import { expect, test } from "vitest";
import { findJsonFault } from "./find-json-fault.ts";

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test("finds a fault exactly where the engine refuses a text, and a place inside it", () => {
  const broken = fc
    .tuple(fc.json(), fc.nat(), fc.constantFrom("", ",", "}", "]", '"', "'", "\\", ":", "0", "-", "e", "\n", "\ufeff", "nul"))
    .map(([text, at, inserted]) => {
      const place = at % (text.length + 1);
      return text.slice(0, place) + inserted + text.slice(place + (inserted === "" ? 1 : 0));
    });
  fc.assert(
    fc.property(broken, (text) => {
      const fault = findJsonFault(text);
      expect(fault === null, text).toBe(isJson(text));
      if (fault === null) return;
      const lines = text.split("\n");
      expect(fault.line).toBeLessThanOrEqual(lines.length);
      expect(fault.column).toBeLessThanOrEqual((lines[fault.line - 1] ?? "").length + 1);
    }),
    { numRuns: 2_000 },
  );
});

test("reads a text once, whatever it consists of", () => {
  for (const part of ["[", '{"a":', '"', "\\", "01", "-", "tru", "\n", '"a",']) {
    const fault = findJsonFault(part.repeat(200_000));
    expect(fault?.sentence.length).toBeLessThan(200);
  }
});
