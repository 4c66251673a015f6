import { expect, it } from "vitest";
import { bytesIn, charactersIn, longTextOf, readText, stringOf } from "./long-text.ts";

it.each(["", "plain", 'quotes " and \\ backslashes', "lines\r\n\t\u2028", "你好 😀 é", "\u0001\u007f", "half of a pair: \ud800"])(
  "is as long as the original string, and becomes it again: %j",
  async (text) => {
    const long = longTextOf(text);
    expect([charactersIn(long), bytesIn(long)]).toEqual([charactersIn(text), bytesIn(text)]);
    expect(stringOf(structuredClone(long))).toBe(text);
    expect([await readText(long), await readText(text)]).toEqual([text, text]);
  },
);

it("uses only as much memory as its packed text, in a separate buffer", () => {
  const { packed } = longTextOf("<td>Two pounds of coffee</td>\n".repeat(50_000));
  expect(packed.byteLength).toBeLessThan(50_000);
  expect(packed.buffer.byteLength).toBe(packed.byteLength);
});
