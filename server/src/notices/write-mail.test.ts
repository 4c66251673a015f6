import { Parser } from "htmlparser2";
import { describe, expect, it } from "vitest";
import { expectAccessible, openBrowser } from "#test/support/browser/browser.ts";
import { isTestSample, kinds, languages, sampleFacts } from "#test/support/mail/notice-fixtures.ts";
import { paramsTable } from "./kinds/params.ts";
import { kindTable } from "./kinds/prepare.ts";
import { type WrittenMail, writeMail } from "./write-mail.ts";

const browser = await openBrowser();
const place = { publicUrl: "https://pay.example.com", howToRun: (command: string) => `tillpost ${command}` };
const all = kinds.flatMap((kind) => languages.map((lang) => ({ kind, lang })));
const written = (kind: (typeof kinds)[number], lang: (typeof languages)[number]): WrittenMail =>
  writeMail(place, { kind, facts: sampleFacts[kind] as never, lang, test: isTestSample(kind) });

/** Every element of a document with its attributes. */
function elementsOf(html: string): { name: string; attributes: Record<string, string> }[] {
  const elements: { name: string; attributes: Record<string, string> }[] = [];
  const parser = new Parser({ onopentag: (name, attributes) => void elements.push({ name, attributes }) });
  parser.end(html);
  return elements;
}

it("knows the same kinds everywhere: params, rules, samples and both languages", () => {
  expect(Object.keys(paramsTable).sort()).toEqual([...kinds].sort());
  expect(Object.keys(kindTable).sort()).toEqual([...kinds].sort());
  expect(all.map(({ kind, lang }) => written(kind, lang).subject).filter((subject) => subject.trim() === "")).toEqual([]);
});

it.each(languages)("suggests in %s to review the passkeys when the password is new, and at no other change", (lang) => {
  const about = (change: "password_changed" | "two_factor_enabled") =>
    writeMail(place, { kind: "security_changed", facts: { ...sampleFacts.security_changed, change }, lang, test: false }).text;
  const words = { en: "Passkeys", zh: "通行密钥" }[lang];
  expect(about("password_changed")).toContain(words);
  expect(about("two_factor_enabled")).not.toContain(words);
});

it.each(languages)("says in %s that the other sessions ended when two-step sign-in is turned on, and at no other change", (lang) => {
  const about = (change: "two_factor_disabled" | "two_factor_enabled") =>
    writeMail(place, { kind: "security_changed", facts: { ...sampleFacts.security_changed, change }, lang, test: false }).text;
  const words = { en: "You've been signed out everywhere else.", zh: "其他设备均已退出登录。" }[lang];
  expect(about("two_factor_enabled")).toContain(words);
  expect(about("two_factor_disabled")).not.toContain(words);
});

it("writes countries, days and amounts as people do, and commands as they are typed here", () => {
  const lines = (kind: (typeof kinds)[number], lang: (typeof languages)[number]) => written(kind, lang).text;
  expect(lines("countries_added", "en")).toContain("United Kingdom, Singapore");
  expect(lines("number_approved", "zh")).toContain("加拿大、美国");
  expect(lines("spend_cap", "en")).toMatch(/Spending cap: \$25\.50\nDay \(UTC\): Nov 21, 2026/);
  expect(lines("spend_cap", "zh")).toContain("2026年11月21日");
  expect(lines("audit_anchored", "zh")).toContain("120,345");
  expect(lines("backup_missing", "en")).toContain("run tillpost backup on the server");
  const facts = { ...sampleFacts.spend_cap, measure: "segments", period: "2026-11", cap: 12_000, level: 100 } as const;
  const { subject, text } = writeMail(place, { kind: "spend_cap", facts, lang: "en", test: false });
  expect(subject).toBe("Corner Books has reached this month's SMS cap");
  expect(text).toMatch(/SMS cap: 12,000 SMS parts\nMonth \(UTC\): November 2026/);
});

it("says that the write-ahead log isn't copied, and where to, if the backups themselves are fine", () => {
  const facts = { ...sampleFacts.backup_missing, reason: "the file store refuses with 403", bucket: "tillpost-backups", isLog: true };
  const { subject, text } = writeMail(place, { kind: "backup_missing", facts, lang: "en", test: false });
  expect(subject).toBe("Write-ahead log of pay.example.com not copied to the bucket");
  expect(text).toMatch(/Reason: the file store refuses with 403[\s\S]*Bucket: tillpost-backups/);
  expect(text).not.toContain("nightly");
  const unwritten = writeMail(place, { kind: "backup_missing", facts: { ...facts, bucket: null }, lang: "en", test: false });
  expect(unwritten.subject).toBe("Write-ahead log of pay.example.com not copied");
  expect(unwritten.text).toMatch(/can't be copied to the folder of the\s+backups/);
});

describe.each(all)("the email $kind in $lang", ({ kind, lang }) => {
  const { html, text, subject } = written(kind, lang);
  const elements = elementsOf(html);

  it("fetches nothing, runs nothing and links only to this installation", () => {
    const addresses = elements.flatMap(({ attributes }) => [
      attributes["href"],
      attributes["src"],
      attributes["background"],
      attributes["srcset"],
    ]);
    const hosts = addresses.filter((address) => address !== undefined).map((address) => new URL(address).host);
    expect(new Set(hosts)).toEqual(new Set(["pay.example.com"]));
    expect(elements.filter(({ name }) => ["script", "img", "link", "iframe", "object", "form", "base"].includes(name))).toEqual([]);
    expect(html).not.toMatch(/url\(|@import|@font-face|javascript:/i);
  });

  it("has one button, one heading, its language, a preheader, both themes, and works in every program", () => {
    expect(elements.filter(({ name }) => name === "h1")).toHaveLength(1);
    expect(elements.filter(({ name, attributes }) => name === "a" && attributes["class"] === "press")).toHaveLength(1);
    expect(elements.find(({ name }) => name === "html")?.attributes["lang"]).toBe(lang === "zh" ? "zh-CN" : "en");
    expect(html).toContain('<meta name="color-scheme" content="light dark">');
    expect(html).toContain("@media (prefers-color-scheme:dark)");
    expect(html).toMatch(/<div style="display:none;[^>]*>[^<&]{10}/);
    expect(html).toContain("max-width:600px");
    // Gmail cuts what is longer, and drops a sheet of more than 8 KB.
    expect(Buffer.byteLength(html)).toBeLessThan(60_000);
    expect(/<style>([\s\S]*)<\/style>/.exec(html)?.[1]?.length).toBeLessThan(8_000);
  });

  it("says the same as plain text, with the link on a separate line", () => {
    expect(text.split("\n")).toContain(sampleFacts[kind].url);
    expect(text).not.toMatch(/<[a-z/]|&(?:[a-z]+|#\d+);|undefined|\[object|NaN/i);
    expect(text).toContain("\n-- \n");
    expect(`${subject}${html}`).not.toMatch(/undefined|\[object|NaN/);
  });

  it("is written in its language", () => {
    const chinese = /\p{Script=Han}/u;
    expect(chinese.test(subject + text)).toBe(lang === "zh");
  });
});

it("shows a buyer no internal word", () => {
  for (const lang of languages) {
    const { text, html } = written("order_paid", lang);
    expect(`${text}${html.replace(/<style>[\s\S]*<\/style>/, "")}`).not.toMatch(
      /session|webhook|voucher|settle|livemode|order_paid|ord_|prj_|gateway/i,
    );
  }
});

it("marks what is about TEST in the subject, in HTML and in text", () => {
  const { subject, html, text } = written("proof_waiting", "en");
  expect(subject).toMatch(/^\[TEST\] /);
  expect(html).toContain('class="test"');
  expect(text).toMatch(/^\*\*\* TEST/);
});

/** A buyer's, and one about TEST, which has a mark; the long form walks through all mails, languages and themes. */
const walked = [
  { kind: "order_paid", lang: "zh", colorScheme: "light" },
  { kind: "proof_waiting", lang: "en", colorScheme: "dark" },
] as const;

it.each(walked)("the email $kind is accessible: $lang, $colorScheme", async ({ kind, lang, colorScheme }) => {
  const page = await browser.page({ viewport: { width: 390, height: 800 }, colorScheme });
  await page.setContent(written(kind, lang).html);
  await expectAccessible(page);
  await page.context().close();
});
