import { expect, test } from "vitest";
import { foldersAreSmall, linesFit, roomsAreSmall } from "./sizes.ts";

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

test("refuses a room of 12 001 lines, not counting its tests", () => {
  const room = (last: number) =>
    ["a.ts", "rows/b.ts"].map((name) => ({ path: `server/src/orders/${name}`, text: "\n".repeat(name === "a.ts" ? 11_900 : last) }));
  const text = "\n".repeat(12_001);
  const tests = ["orders/a.test.ts", "orders/testing/facts.ts"].map((name) => ({ path: `server/src/${name}`, text }));
  expect(roomsAreSmall([...room(101), ...tests])).toEqual([
    { path: "server/src/orders", message: expect.stringMatching(/^has 12001 lines/) },
  ]);
  expect(roomsAreSmall([...room(100), ...tests])).toEqual([]);
});

test("leaves out the providers, which don't know each other", () => {
  const text = "\n".repeat(8_000);
  expect(roomsAreSmall(["stripe", "paypal"].map((name) => ({ path: `server/src/providers/payment/${name}/wire.ts`, text })))).toEqual([]);
});

test("refuses a line of 141 columns", () => {
  const style = (columns: number) => linesFit([{ path: "web/pay/pay.css", text: `${"a".repeat(columns)}\n` }]).length;
  expect([style(140), style(141)]).toEqual([0, 1]);
});
