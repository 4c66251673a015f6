import { expect, test } from "vitest";
import { codePathFaults, mapFaults, namedPathFaults } from "./map.ts";

const paths = new Set([
  "server/",
  "server/src/",
  "server/src/orders/",
  "server/src/orders/settle/",
  "server/src/orders/settle/decide.ts",
  "server/src/orders/sql.ts",
]);
const faults = (text: string) => mapFaults({ path: "ARCHITECTURE.md", text }, paths).length;

test.each([
  ["a file of a room", "`orders/settle/decide.ts`"],
  ["a folder, with and without a slash at its end", "`orders/settle/` or `orders/settle`"],
  ["a name beside the path before it", "`orders/settle/` (pure), `decide.ts` there"],
  ["a name where no path comes before", "`index.ts` exports only"],
  ["what is no path", "`and/or`, `npm run check`, `http/<surface>/`, `/api/public/pay/:token/…`"],
])("takes %s", (_what, text) => {
  expect(faults(text)).toBe(0);
});

test.each([
  ["a file that was moved", "`orders/decide.ts`"],
  ["a folder that is gone", "`orders/settled/`"],
  ["a room that is gone", "`matching/`, `matching/decide.ts`"],
  ["a name that is not beside the path before it", "`orders/settle/` (pure), `sql.ts` there"],
])("refuses %s", (_what, text) => {
  expect(faults(text)).toBeGreaterThan(0);
});

const checkFaults = (text: string) => codePathFaults([{ path: "server/checks/tidy/one.ts", text }], paths).length;

test.each([
  ["a file", 'const home = "server/src/orders/sql.ts";'],
  ["a pattern of a folder's files", String.raw`const rule = /^server\/src\/orders\/.*\.ts$/;`],
  ["a pattern of anything else", "const word = /^meanwhile$/;"],
])("takes %s that a check names", (_what, text) => {
  expect(checkFaults(text)).toBe(0);
});

test.each([
  ["a file that was moved", 'const home = "server/src/orders/rows/sql.ts";'],
  ["a pattern that matches no file", String.raw`const rule = /^server\/src\/http\/answers\/remedies\.ts$/;`],
])("refuses %s in a check", (_what, text) => {
  expect(checkFaults(text)).toBe(1);
});

const documentFaults = (text: string) => namedPathFaults([{ path: "docs/decisions/0010-how-money-settles.md", text }], paths).length;

test.each([
  ["a path that starts at any folder", "`settle/decide.ts`, `orders/settle`, `server/src/orders/settle/` and `decide.ts`"],
  ["what isn't in the repository", "`backups.json`, `bin/node`, `server/dist/pages`, `BACKUP_DIR/wal` and `/v1/orders`"],
  ["what is no path", "`and/or`, `orders/<id>/`, `text/css`"],
])("takes %s in a decision", (_what, text) => {
  expect(documentFaults(text)).toBe(0);
});

test.each([
  ["a file that was moved", "`settled/decide.ts`"],
  ["a file that is gone", "`judge.ts`"],
  ["a folder that is gone", "`orders/limits`"],
])("refuses %s in a decision", (_what, text) => {
  expect(documentFaults(text)).toBe(1);
});

const codeFaults = (text: string) => codePathFaults([{ path: "server/src/orders/settle/one.ts", text }], paths).length;

test.each([
  ["a file beside it", 0, 'new URL("./decide.ts", import.meta.url)'],
  ["a file that isn't in the repository by design", 0, 'new URL("../../../../bin/tillpost", import.meta.url)'],
  ["a file that was moved", 1, 'fileURLToPath(new URL("../../settle/decide.ts", import.meta.url))'],
])("code that opens %s has %i faults", (_what, count, text) => {
  expect(codeFaults(text)).toBe(count);
});
