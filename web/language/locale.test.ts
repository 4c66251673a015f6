import { afterEach, expect, test, vi } from "vitest";
import { browserLocales, localeFor } from "./locale.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

const row = (...[given, language, locale, so]: [string[] | undefined, string, string, string]) => ({ given, language, locale, so });

test.each([
  row(["en-US@posix", "C", "en-GB"], "en", "en-GB", "a tag on which Intl throws is passed over"),
  row(["en-US@posix"], "en", "en", "the page's language stands in for it"),
  row(["en_US.UTF-8", "zh_CN"], "zh-CN", "zh-CN", "a system's locale is no tag"),
  row(["de", "zh-TW", "en"], "zh-CN", "zh-TW", "another language is not the page's"),
  row(["", "x", "123456789"], "en", "en", "nothing is no tag"),
  row([], "en", "en", "a browser may say nothing"),
  row(undefined, "en", "en", "or not know the question"),
])("$so", ({ given, language, locale }) => {
  vi.stubGlobal("navigator", { languages: given });
  expect(localeFor(language)).toBe(locale);
  for (const tag of [...browserLocales(), localeFor(language)]) expect(new Intl.DateTimeFormat(tag).format(0)).not.toBe("");
});
