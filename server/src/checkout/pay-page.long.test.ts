import { expect, it } from "vitest";
import { expectAccessible, openBrowser, screenshot } from "#test/support/browser/browser.ts";
import { faces, type Look, looks, sessionOptions, showFace } from "#test/support/payments/pay-fixtures.ts";
import { expectFitsPhone, smallPhones } from "#test/support/payments/small-phone.ts";

const browser = await openBrowser();

const sizes = [320, 390, 1440];
const all: Look[] = looks.flatMap((look) => sizes.map((width) => ({ ...look, width })));

it.each(all)("every face is accessible and fits: $lang, $theme, $width px", async (look) => {
  const page = await browser.page(sessionOptions(look));
  for (const face of faces) {
    await showFace(page, face, look);
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), `${face} is wider than the screen`).toBe(true);
    await expectAccessible(page);
    await screenshot(page, `${face}-${look.lang}-${look.theme}-${look.width}`);
  }
});

const onPhones = smallPhones.flatMap((viewport) => (["en", "zh"] as const).map((lang) => ({ viewport, lang, ...viewport })));

it.each(onPhones)("fits a phone of $width × $height, in $lang: what matters is visible without scrolling and in line", async (given) => {
  await expectFitsPhone(browser, given.viewport, given.lang);
});
