import { describe, expect, it } from "vitest";
import { expectAccessible, screenshot } from "#test/support/browser/browser.ts";
import { expectFitsPhone, smallPhones } from "#test/support/buyers/small-phone.ts";
import { watchedPhone } from "#test/support/buyers/watched-phone.ts";
import { faces, type Look, looks, sessionOptions, showFace } from "#test/support/payments/pay-fixtures.ts";
import { payPageApp } from "#test/support/payments/pay-page-app.ts";

const buyers = await payPageApp();
const { at, browser, origin, shop } = buyers;

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

describe("a buyer on a phone", () => {
  it("who has no proof at all can still report it", async () => {
    const { page, faults } = await watchedPhone(buyers);
    const { token } = await shop.order({ expires_in: 300 });
    at.clock.advance(301_000);
    await page.goto(`${origin}/pay/${token}`);
    await page.getByText("I already paid").click();
    await page.getByRole("radio", { name: "Alipay" }).check();
    await page.getByRole("button", { name: "Send without proof" }).click();
    await page.getByRole("heading", { name: "Checking your payment" }).waitFor();
    expect(faults).toEqual([]);
  });

  it("sees in place what is wrong with a proof, without losing the page", async () => {
    const { page } = await watchedPhone(buyers);
    const { token } = await shop.order();
    await page.goto(`${origin}/pay/${token}`);
    await page.getByRole("button", { name: "WeChat Pay" }).click();
    await page.getByRole("button", { name: "I have paid" }).click();
    await page.getByRole("button", { name: "Send proof" }).click();
    await page.getByText("Add an image or the last 4 digits of the transfer number first.").waitFor();
    expect(page.url()).not.toContain("problem");
  });

  it("changes language and colors without losing the other choice, and copies the amount", async () => {
    const { page } = await watchedPhone(buyers, { permissions: ["clipboard-read", "clipboard-write"], colorScheme: "light" });
    const { token } = await shop.order();
    await page.goto(`${origin}/pay/${token}`);
    await page.getByRole("link", { name: "Use dark colors" }).click();
    expect(await page.evaluate("document.documentElement.dataset.theme")).toBe("dark");
    await page.getByRole("link", { name: "中文" }).click();
    await page.waitForURL(/lang=zh/);
    expect(new URL(page.url()).searchParams.get("theme")).toBe("dark");
    await page.getByRole("button", { name: "微信支付" }).click();
    await page.getByRole("button", { name: "复制金额" }).click();
    await page.getByRole("button", { name: "已复制" }).waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe("99.00");
  });

  it("on a TEST page, simulates the payment and sees it paid", async () => {
    const { page, faults } = await watchedPhone(buyers);
    const { token } = await shop.order();
    await page.goto(`${origin}/pay/${token}`);
    await page.getByRole("button", { name: "Simulate payment" }).click();
    await page.getByRole("heading", { name: "Paid", exact: true }).waitFor();
    expect(faults).toEqual([]);
  });
});
