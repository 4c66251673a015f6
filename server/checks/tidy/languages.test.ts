import { expect, test } from "vitest";
import { languagesStandOnce } from "./languages.ts";

const page = "server/src/checkout/page/frame.ts";
const faults = (path: string, text: string) => languagesStandOnce([{ path, text }]).map(({ line }) => line);

test.each([
  ["compares with a tag", 'const dir = lang === "zh" ? 1 : 2;'],
  ["spells a type", 'type Lang = "en";'],
  ["writes a table of its own", "const close = { en: close };"],
  ["reads a table by tag", "say(words.zh);"],
  ["takes one language out of a table", "const { en } = names;"],
  ["looks for a tag in a text", "const wants = /^zh/i.test(tag);"],
  ["chooses among tags by a pattern", "const wants = /^(zh|en)\\b/.test(tag);"],
  ["formats by a tag with a region", 'new Intl.NumberFormat("de-DE");'],
  ["writes a tag into markup", 'const open = `<html lang="en" data-at="${at}">`;'],
])("code that %s is refused", (_what, text) => {
  expect(faults(page, `\n${text}`)).toEqual([2]);
  expect(faults("web/dashboard/src/app/frame/rail.tsx", `\n${text}`)).toEqual([2]);
});

test.each([
  ["the list", "server/src/platform/languages/languages.ts", 'const first = "en";'],
  [
    "words of the dashboard",
    "web/dashboard/src/app/frame/rail.tsx",
    'const words = defineWords({ en: { go: "Go" }, zh: { go: "前往" } });',
  ],
  ["words of a room", "server/src/checkout/page/words/words.ts", "export const payWords = { en: english, zh: chinese };"],
  ["a test", "server/src/checkout/page/frame.test.ts", 'frame("zh");'],
  ["what is no language", page, 'const path = "/static/zh-hans.js"; const kind = /agent|tzh/;'],
])("%s is allowed", (_what, path, text) => {
  expect(faults(path, text)).toEqual([]);
});
