import { expect, it } from "vitest";
import { bytesIn, charactersIn, jsonOf, longTextOf, stringOf } from "./long-text.ts";

it.each(["", "plain", 'quotes " and \\ backslashes', "lines\r\n\t\u2028", "你好 😀 é", "\u0001\u007f"])(
  "is as long as the string it was, and becomes it again: %j",
  (text) => {
    const long = longTextOf(text);
    expect([charactersIn(long), bytesIn(long)]).toEqual([charactersIn(text), bytesIn(text)]);
    expect(stringOf(structuredClone(long))).toBe(text);
    expect(jsonOf(long)).toEqual(jsonOf(text));
  },
);
