import { expect } from "vitest";
import { expectAccessible, screenshot } from "#test/support/browser/browser.ts";
import { cashierWords, paySilently } from "#test/support/gateways/simulated/wechat-app.ts";
import { cashier, chooseMerchant, type WechatBuyers, type WechatLanguage, wechatWords } from "./wechat-buyers.ts";

type Walk = (buyers: WechatBuyers, lang: WechatLanguage) => Promise<void>;

/** What happens to buyers in WeChat's browser. */
export const wechatWalks = {
  "a buyer pays with a tap, also after closing the cashier, and sees that it is paid": async (buyers, lang) => {
    const { wechat, publicUrl, inWechat, settle } = buyers;
    const texts = wechatWords[lang];
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
    await cashier(page).getByText("¥88.00").or(cashier(page).getByText("¥99.00")).waitFor();
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
  },

  "a buyer whose payment WeChat doesn't open sees that, and starts again from the page": async (buyers, lang) => {
    const { wechat, publicUrl, inWechat } = buyers;
    const texts = wechatWords[lang];
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
  },

  "a buyer whom WeChat doesn't identify sees the code, what to do with it, and how to try again": async (buyers, lang) => {
    const { wechat, publicUrl, inWechat } = buyers;
    const shop = await wechat.shop({ app_secret: "0".repeat(32) });
    const { token } = await shop.order();
    const page = await inWechat({ lang });
    await page.goto(`${publicUrl}/pay/${token}`);
    await chooseMerchant(page).click();
    await page.waitForURL(/problem=buyer_unknown/);
    await page.locator(".code img").waitFor();
    await expectAccessible(page);
    await screenshot(page, `pay-wechat-unknown-${lang}`);
  },

  "a buyer of a shop that requests no identity sees the code and what to do with it": async (buyers, lang) => {
    const { wechat, publicUrl, inWechat } = buyers;
    const shop = await wechat.shop({ app_secret: "" });
    const { token } = await shop.order();
    const page = await inWechat({ lang });
    await page.goto(`${publicUrl}/pay/${token}`);
    await chooseMerchant(page).click();
    await page.locator(".code img").waitFor();
    await expectAccessible(page);
    await screenshot(page, `pay-wechat-code-${lang}`);
  },
} satisfies Record<string, Walk>;
