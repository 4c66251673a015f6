import fc from "fast-check";
import { expect, test } from "vitest";
import { relaxedBody } from "./sign-dkim.ts";

test("runs of white space, ends of lines and empty lines at the end don't count in a body", () => {
  const canon = (text: string) => relaxedBody(Buffer.from(text)).toString();
  expect(canon(" C \r\nD \t E\r\n\r\n\r\n")).toBe(" C\r\nD E\r\n");
  expect(canon("\r\n\r\n")).toBe("");
  expect(canon("a\r\n \r\nb")).toBe("a\r\n\r\nb\r\n");
});

test("a body has the same hash in whatever chunks it is processed", () => {
  const plainly = (text: string) => {
    const lines = text
      .replace(/[ \t]+/g, " ")
      .replace(/ (?=\r\n|$(?![\s\S]))/g, "")
      .replace(/(\r\n)+$/, "");
    return lines === "" ? "" : `${lines}\r\n`;
  };
  const body = fc
    .array(fc.constantFrom("a", "b", " ", "  ", "\t", "\r\n", "\r", "\n", "xyz"), { maxLength: 40 })
    .map((parts) => parts.join(""));
  fc.assert(
    fc.property(body, fc.constantFrom(1, 2, 3, 7, 65_536), (text, portion) => {
      expect(relaxedBody(Buffer.from(text), portion).toString()).toBe(plainly(text));
    }),
    { numRuns: 2_000 },
  );
});
