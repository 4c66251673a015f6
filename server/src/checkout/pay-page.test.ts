import { describe, expect, it } from "vitest";
import { reviewOrder } from "#reconciliation/index.ts";
import { expectAccessible, prepareToIntercept } from "#test/support/browser/browser.ts";
import { watchedPhone } from "#test/support/buyers/watched-phone.ts";
import { givenLook } from "#test/support/dashboard/dashboard.ts";
import { type Look, sessionOptions, showFace } from "#test/support/payments/pay-fixtures.ts";
import { payPageApp } from "#test/support/payments/pay-page-app.ts";
import { photo } from "#test/support/pictures/pictures.ts";

const buyers = await payPageApp();
const { at, browser, origin, shop } = buyers;

const approve = (order_id: string) => reviewOrder(at.ctx, shop.tenant, { order_id, decision: "approve" });

describe("a buyer on a phone", () => {
  it.each([true, false])('pays from the link to "Paid", scripts %s', async (javaScriptEnabled) => {
    const { page, faults, bytes } = await watchedPhone(buyers, { javaScriptEnabled });
    const { order, token } = await shop.order({ reference: `INV-${javaScriptEnabled}`, return_url: "https://shop.example/thanks" });
    await page.goto(`${origin}/pay/${token}`);
    await page.getByRole("button", { name: "WeChat Pay" }).click();
    await page.getByRole("img", { name: "WeChat Pay QR code to pay ¥99.00" }).waitFor();
    expect(await page.evaluate("document.querySelector('.code img').decode().then(() => 'drawn')")).toBe("drawn");
    expect(bytes()).toBeLessThan(60 * 1024);
    await page.getByRole("button", { name: "Alipay" }).click();
    expect(await page.getByRole("link", { name: "Open Alipay" }).getAttribute("href")).toMatch(
      /^alipays:\/\/platformapi\/startapp\?saId=10000007&qrcode=https%3A/,
    );
    await page.getByRole("button", { name: "I have paid" }).click();
    await page.getByRole("heading", { name: "Checking your payment" }).waitFor();
    await page
      .getByLabel("Screenshot of the payment")
      .setInputFiles({ name: "proof.jpg", mimeType: "image/jpeg", buffer: await photo(400, 800 + Number(javaScriptEnabled)) });
    if (javaScriptEnabled) await page.locator("img.preview").waitFor();
    await page.getByLabel("Last 4 digits").fill("4821");
    await page.getByRole("button", { name: "Send proof" }).click();
    await page.getByText("Proof received").waitFor();
    await approve(order.id);
    if (!javaScriptEnabled) await page.getByRole("link", { name: "Check status" }).click();
    await page.getByRole("heading", { name: "Paid", exact: true }).waitFor();
    expect(await page.getByRole("link", { name: "Return to Corner Books" }).getAttribute("href")).toBe("https://shop.example/thanks");
    await page.getByRole("link", { name: "View receipt" }).click();
    await page.getByRole("heading", { name: "Receipt" }).waitFor();
    expect(faults).toEqual([]);
  });

  it("first saves the code, and then the button that reports the payment is the filled one", async () => {
    const { page } = await watchedPhone(buyers);
    const { token } = await shop.order();
    await page.goto(`${origin}/pay/${token}`);
    await page.getByRole("button", { name: "WeChat Pay" }).click();
    const save = page.getByRole("link", { name: "Save image" });
    const filled = page.locator(".button.primary");
    await save.waitFor();
    expect(await filled.allInnerTexts()).toEqual(["Save image"]);
    const saved = page.waitForEvent("download");
    await save.click();
    await saved;
    expect(await filled.allInnerTexts()).toEqual(["I have paid"]);
  });

  it('who is too late reports "I already paid" with the last digits, and the page then waits with them', async () => {
    const { page, faults } = await watchedPhone(buyers, { locale: "zh-CN" });
    const { order, token } = await shop.order({ expires_in: 300 });
    at.clock.advance(301_000);
    await page.goto(`${origin}/pay/${token}`);
    await page.getByRole("heading", { name: "已超过付款时间" }).waitFor();
    await page.getByText("我已经付过款了").click();
    await page.getByText("支付宝", { exact: true }).click();
    await page.getByLabel("转账单号后四位").fill("9090");
    await page.getByRole("button", { name: "提交凭证" }).click();
    await page.getByRole("heading", { name: "正在确认您的付款" }).waitFor();
    await approve(order.id);
    await page.getByRole("heading", { name: "付款成功" }).waitFor();
    expect(faults).toEqual([]);
  });

  it("gets the result by polling if the stream is cut, and what was typed until then is preserved", async () => {
    const { page } = await watchedPhone(buyers);
    await page.route("**/events", (route) => route.abort());
    await page.clock.install();
    const { order, token } = await shop.order();
    await page.goto(`${origin}/pay/${token}`);
    await page.getByRole("button", { name: "WeChat Pay" }).click();
    await page.getByRole("button", { name: "I have paid" }).click();
    await page.getByLabel("Last 4 digits").fill("1234");
    await reviewOrder(at.ctx, shop.tenant, { order_id: order.id, decision: "reject", reason_code: "not_received" });
    await page.clock.runFor(10_000);
    await page.getByText("couldn't confirm your payment").first().waitFor();
    expect(await page.getByLabel("Last 4 digits").inputValue()).toBe("1234");
  });

  it("sees that nothing was lost if the server fails or the connection is cut, and can press again", async () => {
    const { page } = await watchedPhone(buyers);
    const { token } = await shop.order();
    await prepareToIntercept(page);
    await page.goto(`${origin}/pay/${token}`);
    await page.route("**/initiate*", (route) => route.fulfill({ status: 500, contentType: "application/json", body: "{}" }), { times: 1 });
    await page.getByRole("button", { name: "WeChat Pay" }).click();
    await page.getByText("Nothing was lost; please try again.").waitFor();
    await page.route("**/initiate*", (route) => route.abort(), { times: 1 });
    await page.getByRole("button", { name: "WeChat Pay" }).click();
    await page.getByText("You're offline. Check your connection and try again.").waitFor();
    await page.getByRole("button", { name: "WeChat Pay" }).click();
    await page.getByRole("button", { name: "I have paid" }).waitFor();
  });
});

const given = givenLook();
/** The look that is asked for; the long run takes all of them. */
const look: Look = { lang: given.language, theme: given.theme, width: 390 };
/** Between them these have nearly every part of the page; the long run takes all, and the smallest phones. */
const someFaces = ["choose_rejected", "pay_remark", "checking", "receipt"];

describe(`the page, ${look.lang} ${look.theme}`, () => {
  it("is accessible and fits a phone", async () => {
    const page = await browser.page(sessionOptions(look));
    for (const face of someFaces) {
      await showFace(page, face, look);
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), `${face} is wider than the screen`).toBe(true);
      await expectAccessible(page);
    }
  });
});
