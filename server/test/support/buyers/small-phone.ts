import { expect } from "vitest";
import type { Language } from "#platform/index.ts";
import type { TestBrowser } from "#test/support/browser/browser.ts";
import { type Look, sessionOptions, showFace } from "#test/support/payments/pay-fixtures.ts";

/** What the browsers of small phones leave of the screen: an iPhone SE of 2016, a small Android, an iPhone. */
export const smallPhones = [
  { width: 320, height: 480 },
  { width: 360, height: 560 },
  { width: 390, height: 664 },
] as const;

/** Expects that "I have paid" is visible without scrolling, the reference is in line, and the code's corner contains nothing else. */
export async function expectFitsPhone(browser: TestBrowser, viewport: (typeof smallPhones)[number], lang: Language): Promise<void> {
  const size: Look = { lang, theme: "light", width: viewport.width };
  const page = await browser.page({ ...sessionOptions(size), viewport });
  for (const face of ["receipt", "expired", "pay", "pay_alipay", "pay_unique", "pay_remark"]) {
    const where = `${face}, ${lang}`;
    await showFace(page, face, size);
    await page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })");
    expect(await page.evaluate(oddities), where).toEqual([]);
    if (face === "receipt" || face === "expired") continue;
    const report = await page.getByRole("button", { name: lang === "zh" ? "我已付款" : "I have paid" }).boundingBox();
    expect((report?.y ?? 0) + (report?.height ?? Number.POSITIVE_INFINITY), where).toBeLessThanOrEqual(viewport.height);
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), where).toBe(true);
  }
}

/** Elements that cover the code's corners, and parts of the line below the amount that are off its center or baseline. */
const oddities = `(() => {
  const found = [];
  const image = document.querySelector(".code img");
  if (image !== null && image.getClientRects().length > 0) {
    // In the middle of the screen, clear of the bar that stays at its end.
    image.scrollIntoView({ block: "center", behavior: "instant" });
    const { left, top, right, bottom } = image.getBoundingClientRect();
    for (const [x, y] of [[left + 4, top + 4], [right - 4, top + 4], [left + 4, bottom - 4], [right - 4, bottom - 4]]) {
      const above = document.elementsFromPoint(x, y)[0];
      if (above !== undefined && above !== image && !above.contains(image)) found.push("over the code: " + above.outerHTML.slice(0, 80));
    }
  }
  scrollTo({ top: 0, behavior: "instant" });
  const boxOf = (one) => { const range = document.createRange(); range.selectNodeContents(one); return range.getBoundingClientRect(); };
  const line = document.querySelector("p.meta");
  if (line !== null) {
    const { left, right } = boxOf(line);
    if (Math.abs((left + right) / 2 - innerWidth / 2) > 1) found.push("off the middle: " + line.textContent);
  }
  for (const one of document.querySelectorAll(".radio span")) if (boxOf(one).height > 30) found.push("on two lines: " + one.textContent);
  for (const one of document.querySelectorAll(".reference")) {
    const name = one.closest("div, tr")?.querySelector("dt, th");
    if (name && Math.abs(boxOf(one).bottom - boxOf(name).bottom) > 2) found.push("off its name's line: " + one.textContent);
  }
  return found;
})()`;
