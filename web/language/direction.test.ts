import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const web = new URL("../", import.meta.url);
const sheets = readdirSync(web, { recursive: true, encoding: "utf8" }).filter(
  (name) => name.endsWith(".css") && !/(^|[\\/])(dist|node_modules)[\\/]/.test(name),
);
const physical =
  /(?<![-\w])(?:(?:margin|padding|border|scroll-margin|scroll-padding)-(?:left|right)|border-(?:top|bottom)-(?:left|right)-radius|left|right)\s*:|(?:text-align|float|clear):\s*(?:left|right)/;
const uneven = /(?<![-\w])(?:padding|margin|inset):\s*([^\s;]+)\s+([^\s;]+)\s+([^\s;]+)\s+([^\s;]+);/;

/** Sides that stay where they are when the direction of writing turns. */
function faultsOf(sheet: string): string[] {
  return sheet.split("\n").filter((line) => {
    const [, , right, , left] = uneven.exec(line) ?? [];
    return physical.test(line) || right !== left;
  });
}

test("style sheets specify sides by the direction of writing", () => {
  expect(sheets.length).toBeGreaterThan(10);
  expect(
    sheets.flatMap((name) => faultsOf(readFileSync(new URL(name.replaceAll("\\", "/"), web), "utf8")).map((line) => `${name}: ${line}`)),
  ).toEqual([]);
});

test.each([
  ".a { margin-left: 4px; }",
  ".a { right: 0; }",
  ".a { text-align: left; }",
  ".a { padding: 0 4px 0 8px; }",
  ".a { border-top-left-radius: 4px; }",
])("%s is refused", (line) => {
  expect(faultsOf(line)).toHaveLength(1);
});
