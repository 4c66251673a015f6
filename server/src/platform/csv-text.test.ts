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
])("guards %j, which a spreadsheet would run", (text, cell) => {
  expect(csvText(text)).toBe(cell);
});

test.each([
  ["Tea house", "Tea house"],
  ["1 - 2 = 3", "1 - 2 = 3"],
  ["a, b", '"a, b"'],
  ["a;b", '"a;b"'],
  ['say "hi"', '"say ""hi"""'],
  ["", ""],
])("leaves %j as it is", (text, cell) => {
  expect(csvText(text)).toBe(cell);
});
