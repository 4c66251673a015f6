import { expect, test } from "vitest";
import { localesAreGuarded } from "./locales.ts";

const page = "web/pay/a.ts";
const faults = (path: string, text: string) => localesAreGuarded([{ path, text }]).length;

test.each([
  ["reads the browser's languages", "const tag = navigator.language;"],
  ["reads them under another spelling", 'const tags = navigator["languages"];'],
  ["formats numbers in a language that nobody checked", "new Intl.NumberFormat(document.documentElement.lang)"],
  ["formats dates in the browser's own language", "at.toLocaleDateString()"],
  ["compares by a tag that nobody checked", "left.localeCompare(right, tag)"],
])("a page that %s is refused", (_what, text) => {
  expect(faults(page, text)).toBe(1);
});

test.each([
  ["the one place that reads them", "web/language/locale.ts", "const tags = navigator.languages;"],
  ["the page's own locale", page, "new Intl.NumberFormat(locale)"],
  ["a tag that is written out", page, 'new Intl.NumberFormat("en")'],
  ["options beside the locale", page, 'at.toLocaleDateString(locale, { timeZone: "UTC" })'],
])("%s is allowed", (_what, path, text) => {
  expect(faults(path, text)).toBe(0);
});
