import { describe, test } from "vitest";
import { phone, screenshot } from "#test/support/browser/browser.ts";
import { chooseMerchant, wechatBuyers, wechatWords } from "#test/support/buyers/wechat-buyers.ts";
import { wechatWalks } from "#test/support/buyers/wechat-walks.ts";
import { cashierWords, paySilently } from "#test/support/gateways/simulated/wechat-app.ts";

const buyers = await wechatBuyers();
const { wechat, browser, publicUrl, inWechat, settle } = buyers;

describe.each(["zh", "en"] as const)("in WeChat, in %s", (lang) => {
  test.each(Object.entries(wechatWalks))("%s", async (_name, walk) => {
    await walk(buyers, lang);
  });
});

test("a browser that only claims to be WeChat's tells its buyer so when they tap", async () => {
  const { token } = await (await wechat.shop()).order();
  const page = await inWechat({ lang: "en", bridged: false });
  await page.clock.install();
  await page.goto(`${publicUrl}/pay/${token}`);
  await chooseMerchant(page).click();
  const button = page.getByRole("button", { name: wechatWords.en.pay });
  await button.waitFor();
  await button.click();
  await page.clock.runFor(3_100);
  await page.getByText(wechatWords.en.outside).waitFor();
});

test("a phone outside WeChat is redirected to WeChat Pay's own page, and back to where the payment is checked", async () => {
  const { token } = await (await wechat.shop()).order();
  const page = await browser.page({
    ...phone,
    userAgent: "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36",
    locale: "en-GB",
  });
  await page.goto(`${publicUrl}/pay/${token}`);
  await chooseMerchant(page).click();
  await page.waitForURL(`${wechat.origin}/checkmweb**`);
  await page.getByText("¥99.00").waitFor();
  await paySilently(page, "en");
  await page.getByRole("link", { name: cashierWords.en.back }).click();
  await page.waitForURL(/back=paid/);
  await settle();
  await page.getByRole("heading", { name: "Paid", exact: true }).waitFor();
});

test("a desktop shows the code, also of a payment that was started in WeChat", async () => {
  const { token } = await (await wechat.shop()).order();
  const inside = await inWechat({ lang: "en" });
  await inside.goto(`${publicUrl}/pay/${token}`);
  await chooseMerchant(inside).click();
  await inside.getByRole("button", { name: wechatWords.en.pay }).waitFor();
  const desktop = await browser.page({ viewport: { width: 1_280, height: 900 }, locale: "en-GB" });
  await desktop.goto(`${publicUrl}/pay/${token}`);
  await desktop.getByRole("button", { name: "Continue to WeChat Pay" }).click();
  await desktop.getByRole("img", { name: /WeChat Pay QR code/ }).waitFor();
  await screenshot(desktop, "pay-wechat-desktop");
});
