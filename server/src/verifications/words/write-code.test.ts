import { expect, test } from "vitest";
import { languages } from "#platform/index.ts";
import { templateNames } from "../shapes.ts";
import { mailTexts, smsText, spokenText } from "./write-code.ts";

const content = { brand: "Corner Books", code: "024681", minutes: 10, template: "code", locale: null, origin: null } as const;
const all = languages.flatMap(({ tag }) => templateNames.map((template) => ({ ...content, locale: tag, template })));

test.each(all)("$template in $locale: every message states the code, the shop and how long it is valid", (one) => {
  for (const text of [smsText(one), mailTexts(one).text, mailTexts(one).html]) {
    expect(text).toContain("024681");
    expect(text).toContain("Corner Books");
    expect(text).toContain("10");
  }
  expect(spokenText(one).text).toContain("Corner Books");
});

test.each(all)("$template in $locale: the subject of an email, which a locked screen shows, contains no digit of the code", (one) => {
  expect(mailTexts(one).subject).not.toMatch(/\d/);
});

test.each(all)("$template in $locale: a call says the digits one by one, twice", (one) => {
  const { text } = spokenText(one);
  expect(text.match(/0\D+2\D+4\D+6\D+8\D+1(?!\d)/g)).toHaveLength(2);
  expect(text).not.toMatch(/\d\d/);
});

test("with an origin, the last line of an SMS is the one that phones read", () => {
  expect(
    smsText({ ...content, origin: "shop.example.com" })
      .split("\n")
      .at(-1),
  ).toBe("@shop.example.com #024681");
  expect(smsText(content)).not.toContain("#");
});

test("a language that Tillpost doesn't have is answered in English, a regional one in its language", () => {
  expect(smsText({ ...content, locale: "fr-CA" })).toBe(smsText({ ...content, locale: "en" }));
  expect(smsText({ ...content, locale: "zh-TW" })).toBe(smsText({ ...content, locale: "zh" }));
  expect(spokenText({ ...content, locale: "zh-TW" }).language).toBe("zh-CN");
});

test("a shop's name is plain text in an email, whatever it is", () => {
  expect(mailTexts({ ...content, brand: "<img src=x onerror=alert(1)>" }).html).not.toContain("<img");
});

test("in English a code of an ordinary shop fits into one part", () => {
  for (const template of templateNames) expect(smsText({ ...content, template }).length).toBeLessThanOrEqual(160);
});
