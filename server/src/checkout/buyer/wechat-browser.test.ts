import { test } from "vitest";
import { phone } from "#test/support/browser/browser.ts";
import { chooseMerchant, wechatBuyers } from "#test/support/buyers/wechat-buyers.ts";
import { wechatWalks } from "#test/support/buyers/wechat-walks.ts";
import { cashierWords, paySilently } from "#test/support/gateways/simulated/wechat-app.ts";

const buyers = await wechatBuyers();
const { wechat, browser, publicUrl, settle } = buyers;

/** The long form walks all of them in both languages. */
test.each([
  ["a buyer pays with a tap, also after closing the cashier, and sees that it is paid", "zh"],
  ["a buyer whom WeChat doesn't identify sees the code, what to do with it, and how to try again", "en"],
] as const)("in WeChat, %s, in %s", async (name, lang) => {
  await wechatWalks[name](buyers, lang);
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
