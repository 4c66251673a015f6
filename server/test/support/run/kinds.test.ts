import { globSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { type Kind, testFilesByKind } from "./kinds.ts";

const files = testFilesByKind();

test.each<[Kind, string, string]>([
  ["unit", "starts nothing", "server/src/platform/card-numbers.test.ts"],
  ["web", "starts nothing and is one of the pages'", "web/dashboard/src/words/close-up.test.ts"],
  ["web", "loads pages' words", "server/src/http/dashboard/counts-of-one.test.ts"],
  ["room", "asks a database", "server/src/http/v1/orders/orders.test.ts"],
  ["room", "asks one through what it shares with the long tests", "server/test/faults/race/race.test.ts"],
  ["browser", "looks at pages", "web/e2e/desks/receipts-desk.test.ts"],
  ["faults", "starts the program", "server/src/app/commands/serve.test.ts"],
  ["faults", "starts programs through what it shares with the long tests", "server/test/faults/gateway-kill/kill.test.ts"],
])("%s: a file that %s", (kind, _what, file) => {
  expect(Object.entries(files).flatMap(([name, names]) => (names.includes(file) ? [name] : []))).toEqual([kind]);
});

test("every file that npm test runs is in exactly one project, and no long one is", () => {
  const cwd = fileURLToPath(new URL("../../../..", import.meta.url));
  const there = globSync("{server,web,sdk,scripts}/**/*.test.ts", { cwd, exclude: ["**/node_modules", "**/dist"] });
  expect(Object.values(files).flat().sort()).toEqual(there.filter((file) => !/\.(long|peers)\.test/.test(file)).sort());
});
