import { expect, test } from "vitest";
import { csvText } from "./csv-text.ts";

test.each([
  ["=1+1", "'=1+1"],
  [" =1+1", "' =1+1"],
  ["\u00a0\u3000@SUM(A1)", "'\u00a0\u3000@SUM(A1)"],
  ["\ufeff+1", "'\ufeff+1"],
  ["＝1+1", "'＝1+1"],
  ["－2", "'－2"],
  ["＠cmd", "'＠cmd"],
  ["\t=1", '"\'\t=1"'],
  ["a;=1+1", '"\'a;=1+1"'],
  ["a\n=1+1", '"\'a\n=1+1"'],
  ["a|-1", '"\'a|-1"'],
])("guards %j, which a spreadsheet would execute", (text, cell) => {
  expect(csvText(text)).toBe(cell);
});

test.each([
  ["Tea house", "Tea house"],
  ["1 - 2 = 3", "1 - 2 = 3"],
  ["a, b", '"a, b"'],
  ["a;b", '"a;b"'],
  ['say "hi"', '"say ""hi"""'],
  ["", ""],
])("leaves %j unchanged", (text, cell) => {
  expect(csvText(text)).toBe(cell);
});

test.each(["42000012345678901234", "123456789012", "007", "12E5"])(
  "ends %s with a tab, so that a spreadsheet treats it as text",
  (text) => {
    expect(csvText(text)).toBe(`"${text}\t"`);
  },
);

test.each(["12345678901", "0", "3-0070", "ord_01m7wje4wze7as3wcxk3xbrgav", "0.5", "A12345678901234567"])(
  "leaves %s, which no spreadsheet changes, unchanged",
  (text) => {
    expect(csvText(text)).toBe(text);
  },
);
