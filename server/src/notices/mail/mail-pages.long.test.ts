import { expect, it } from "vitest";
import { howToRun } from "#app/installed/how-to-run.ts";
import { expectAccessible, openBrowser, screenshot } from "#test/support/browser/browser.ts";
import { isTestSample, kinds, languages, sampleFacts } from "#test/support/mail/notice-fixtures.ts";
import { writeMail } from "../write-mail.ts";

const browser = await openBrowser();
const place = { publicUrl: "https://pay.example.com", howToRun };
const looks = languages.flatMap((lang) =>
  (["light", "dark"] as const).flatMap((theme) => [390, 640].map((width) => ({ lang, theme, width }))),
);

it.each(looks)("every email reads well and fits: $lang, $theme, $width px", async ({ lang, theme, width }) => {
  const page = await browser.page({ viewport: { width, height: 800 }, deviceScaleFactor: 2, colorScheme: theme, javaScriptEnabled: true });
  for (const kind of kinds) {
    const { html } = writeMail(place, { kind, facts: sampleFacts[kind] as never, lang, test: isTestSample(kind) });
    await page.setContent(html);
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), `${kind} is wider than the screen`).toBe(true);
    await expectAccessible(page);
    await screenshot(page, `mail-${kind}-${lang}-${theme}-${width}`);
  }
});

it.each(languages)("every email still reads well if a program drops the sheet: %s", async (lang) => {
  const page = await browser.page({ viewport: { width: 390, height: 800 }, deviceScaleFactor: 2, colorScheme: "dark" });
  for (const kind of kinds) {
    const { html } = writeMail(place, { kind, facts: sampleFacts[kind] as never, lang, test: isTestSample(kind) });
    await page.setContent(
      html.replace(/<style>[\s\S]*?<\/style>|<meta name="(supported-)?color-scheme[^>]*>/g, "").replace(/ class="[^"]*"/g, ""),
    );
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), `${kind} is wider than the screen`).toBe(true);
    await expectAccessible(page);
    await screenshot(page, `mail-${kind}-${lang}-bare-390`);
  }
});
