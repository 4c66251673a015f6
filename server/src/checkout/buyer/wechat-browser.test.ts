import type { BrowserContextOptions, Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { expectAccessible, openBrowser, phone, screenshot } from "#test/support/browser/browser.ts";
import { pollDue } from "#test/support/gateways/scripted/gateway-shop.ts";
import { cashierWords, paySilently, wechatAgent, wechatApp } from "#test/support/gateways/simulated/wechat-app.ts";
import { freePort } from "#test/support/network/free-port.ts";

const port = await freePort();
const publicUrl = `http://localhost:${port}`;
const wechat = await wechatApp({ publicUrl });
const browser = await openBrowser();
/** What gives pages WeChat's bridge. */
let bridge = "";

beforeAll(async () => {
  await (await wechat.app.server()).listen({ host: "127.0.0.1", port });
  bridge = await (await fetch(`${wechat.origin}/jsbridge.js`)).text();
});

/**
 * WeChat's browser on a phone. Its cashier covers the page regardless of the page's policy, as in the app; `bridged`: it gives pages its
 * bridge.
 */
async function inWechat({
  lang,
  bridged = true,
  ...more
}: BrowserContextOptions & { lang: "zh" | "en"; bridged?: boolean }): Promise<Page> {
  const page = await browser.page({
    ...phone,
    ...{ userAgent: wechatAgent(), locale: lang === "zh" ? "zh-CN" : "en-GB", timezoneId: "Asia/Shanghai", bypassCSP: true },
    ...more,
  });
  if (bridged) await page.addInitScript({ content: bridge });
  return page;
}

const words = {
  zh: {
    choose: "微信支付",
    pay: "用微信支付付款",
    canceled: "您已取消支付",
    failed: "没能打开这笔付款",
    paid: "付款成功",
    other: "其他付款方式",
    outside: "当前浏览器无法打开",
  },
  en: {
    choose: "WeChat Pay",
    pay: "Pay with WeChat Pay",
    canceled: "You closed the payment",
    failed: "couldn't open the payment",
    paid: "Paid",
    other: "Other payment methods",
    outside: "This browser can't open",
  },
};
const cashier = (page: Page) => page.frameLocator('iframe[title="WeChat Pay"]');
const chooseMerchant = (page: Page) => page.locator('button[name="gateway"][value="wechatpay_merchant"]').first();

/** Everything that the providers have to say is heard. */
async function settle(): Promise<void> {
  wechat.app.clock.advance(301_000);
  await pollDue(wechat.app);
}

describe.each(["zh", "en"] as const)("in WeChat, in %s", (lang) => {
  const texts = words[lang];

  test("a buyer pays with a tap, also after closing the cashier, and sees that it is paid", async () => {
    const shop = await wechat.shop();
    const { token } = await shop.order({ description: lang === "zh" ? "三个月读书会" : "Three months of the reading circle" });
    const page = await inWechat({ lang });
    await page.goto(`${publicUrl}/pay/${token}`);
    await chooseMerchant(page).click();
    const button = page.getByRole("button", { name: texts.pay });
    await button.waitFor();
    expect(new URL(page.url()).pathname).toBe(`/pay/${token}/go`);
    expect(await cashier(page).locator("body").count()).toBe(0);
    await expectAccessible(page);
    await screenshot(page, `pay-wechat-inside-${lang}`);
    await button.click();
    await cashier(page).getByText("88.00 CNY").or(cashier(page).getByText("99.00 CNY")).waitFor();
    await cashier(page).getByRole("link", { name: cashierWords[lang].back }).click();
    await page.getByText(texts.canceled).waitFor();
    await expectAccessible(page);
    await screenshot(page, `pay-wechat-canceled-${lang}`);
    await button.click();
    await paySilently(cashier(page), lang);
    await page.waitForURL(/back=paid/);
    await screenshot(page, `pay-wechat-checking-${lang}`);
    await settle();
    await page.getByRole("heading", { name: texts.paid, exact: true }).waitFor();
    await page.goBack();
    await page.getByRole("heading", { name: texts.paid, exact: true }).waitFor();
  });

  test("a buyer whose payment WeChat doesn't open sees that, and starts again from the page", async () => {
    const shop = await wechat.shop();
    const { token } = await shop.order();
    const page = await inWechat({ lang });
    await page.goto(`${publicUrl}/pay/${token}`);
    await chooseMerchant(page).click();
    const button = page.getByRole("button", { name: texts.pay });
    await button.waitFor();
    await page.evaluate(`(() => {
      const { dataset } = document.querySelector("[data-jsapi]");
      dataset.jsapi = JSON.stringify({ ...JSON.parse(dataset.jsapi), paySign: "AAAA" });
    })()`);
    await button.click();
    await page.getByText(texts.failed).waitFor();
    await expectAccessible(page);
    await screenshot(page, `pay-wechat-failed-${lang}`);
    await page.getByRole("link", { name: texts.other }).click();
    await page.waitForURL(`**/pay/${token}**`);
    await screenshot(page, `pay-wechat-again-${lang}`);
    await chooseMerchant(page).click();
    await page.waitForURL(/\/go/);
    await page.getByRole("button", { name: texts.pay }).click();
    await paySilently(cashier(page), lang);
    await page.waitForURL(/back=paid/);
  });

  test("a buyer whom WeChat doesn't identify sees the code, what to do with it, and how to try again", async () => {
    const shop = await wechat.shop({ app_secret: "0".repeat(32) });
    const { token } = await shop.order();
    const page = await inWechat({ lang });
    await page.goto(`${publicUrl}/pay/${token}`);
    await chooseMerchant(page).click();
    await page.waitForURL(/problem=buyer_unknown/);
    await page.locator(".code img").waitFor();
    await expectAccessible(page);
    await screenshot(page, `pay-wechat-unknown-${lang}`);
  });

  test("a buyer of a shop that requests no identity sees the code and what to do with it", async () => {
    const shop = await wechat.shop({ app_secret: "" });
    const { token } = await shop.order();
    const page = await inWechat({ lang });
    await page.goto(`${publicUrl}/pay/${token}`);
    await chooseMerchant(page).click();
    await page.locator(".code img").waitFor();
    await expectAccessible(page);
    await screenshot(page, `pay-wechat-code-${lang}`);
  });
});

test("a browser that only claims to be WeChat's tells its buyer so when they tap", async () => {
  const { token } = await (await wechat.shop()).order();
  const page = await inWechat({ lang: "en", bridged: false });
  await page.clock.install();
  await page.goto(`${publicUrl}/pay/${token}`);
  await chooseMerchant(page).click();
  const button = page.getByRole("button", { name: words.en.pay });
  await button.waitFor();
  await button.click();
  await page.clock.runFor(3_100);
  await page.getByText(words.en.outside).waitFor();
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
  await page.getByText("99.00 CNY").waitFor();
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
  await inside.getByRole("button", { name: words.en.pay }).waitFor();
  const desktop = await browser.page({ viewport: { width: 1_280, height: 900 }, locale: "en-GB" });
  await desktop.goto(`${publicUrl}/pay/${token}`);
  await desktop.getByRole("button", { name: "Continue to WeChat Pay" }).click();
  await desktop.getByRole("img", { name: /WeChat Pay QR code/ }).waitFor();
  await screenshot(desktop, "pay-wechat-desktop");
});
