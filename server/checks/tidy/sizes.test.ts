import { expect, test } from "vitest";
import { foldersAreSmall, linesFit } from "./sizes.ts";

const sixteen = (pathOf: (n: number) => string) => Array.from({ length: 16 }, (_, n) => ({ path: pathOf(n), text: "" }));

test.each([
  ["files of a room", sixteen((n) => `server/src/orders/a${n}.ts`)],
  ["files of the dashboard", sixteen((n) => `web/dashboard/src/parts/a${n}.tsx`)],
  ["tests that belong to no room", sixteen((n) => `server/test/faults/a${n}.test.ts`)],
  ["browser tests", sixteen((n) => `web/e2e/screens/a${n}.test.ts`)],
])("refuses a folder of 16 %s", (_what, files) => {
  expect(foldersAreSmall(files)).toHaveLength(1);
  expect(foldersAreSmall(files.slice(1))).toEqual([]);
});

test("doesn't count a room's tests", () => {
  expect(foldersAreSmall(sixteen((n) => `server/src/orders/a${n}${n === 0 ? ".test" : ""}.ts`))).toEqual([]);
});

test("refuses a line of 141 columns", () => {
  const style = (columns: number) => linesFit([{ path: "web/pay/pay.css", text: `${"a".repeat(columns)}\n` }]).length;
  expect([style(140), style(141)]).toEqual([0, 1]);
});
