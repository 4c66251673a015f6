import type { BrowserContextOptions, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { reviewOrder } from "#orders/index.ts";
import { expectAccessible, prepareToIntercept } from "#test/support/browser/browser.ts";
import { givenLook } from "#test/support/dashboard/dashboard.ts";
import { faces, type Look, sessionOptions, showFace } from "#test/support/payments/pay-fixtures.ts";
import { buyersPhone, payPageApp } from "#test/support/payments/pay-page-app.ts";
import { expectFitsPhone, smallPhones } from "#test/support/payments/small-phone.ts";
import { photo } from "#test/support/pictures/pictures.ts";

const { at, browser, origin, shop } = await payPageApp();

interface Watched {
  page: Page;
  /** What a page of ours must never do. */
  faults: string[];
  bytes(): number;
}

/** A phone that remembers errors, refused loads and requests to strangers. */
async function aPhone(options: BrowserContextOptions = {}): Promise<Watched> {
  const page = await browser.page({ ...buyersPhone, viewport: { width: 390, height: 844 }, ...options });
  const faults: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(origin) && !request.url().startsWith("blob:")) faults.push(`asked a stranger: ${request.url()}`);
  });
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") faults.push(message.text());
  });
  page.on("pageerror", (error) => faults.push(error.message));
  const debug = await page.context().newCDPSession(page);
  await debug.send("Network.enable");
  let bytes = 0;
  debug.on("Network.loadingFinished", (event) => {
    bytes += event.encodedDataLength;
  });
  return { page, faults, bytes: () => bytes };
}

const approve = (order_id: string) => reviewOrder(at.ctx, shop.tenant, { order_id, decision: "approve" });

describe("a buyer on a phone", () => {
  it.each([true, false])('pays from the link to "Paid", scripts %s', async (javaScriptEnabled) => {
    const { page, faults, bytes } = await aPhone({ javaScriptEnabled });
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
    if (!javaScriptEnabled) await page.reload();
    await page.getByRole("heading", { name: "Paid", exact: true }).waitFor();
    expect(await page.getByRole("link", { name: "Return to Corner Books" }).getAttribute("href")).toBe("https://shop.example/thanks");
    await page.getByRole("link", { name: "View receipt" }).click();
    await page.getByRole("heading", { name: "Receipt" }).waitFor();
    expect(faults).toEqual([]);
  });

  it('who is too late reports "I already paid" with the last digits, and the page then waits with them', async () => {
    const { page, faults } = await aPhone({ locale: "zh-CN" });
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

  it("who has no proof at all can still report it", async () => {
    const { page, faults } = await aPhone();
    const { token } = await shop.order({ expires_in: 300 });
    at.clock.advance(301_000);
    await page.goto(`${origin}/pay/${token}`);
    await page.getByText("I already paid").click();
    await page.getByRole("radio", { name: "Alipay" }).check();
    await page.getByRole("button", { name: "Continue without proof" }).click();
    await page.getByRole("heading", { name: "Checking your payment" }).waitFor();
    expect(faults).toEqual([]);
  });

  it("gets the result by polling if the stream is cut, and what was typed until then is preserved", async () => {
    const { page } = await aPhone();
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

  it("sees in place what is wrong with a proof, without losing the page", async () => {
    const { page } = await aPhone();
    const { token } = await shop.order();
    await page.goto(`${origin}/pay/${token}`);
    await page.getByRole("button", { name: "WeChat Pay" }).click();
    await page.getByRole("button", { name: "I have paid" }).click();
    await page.getByRole("button", { name: "Send proof" }).click();
    await page.getByText("Add an image or the last 4 digits of the transfer number first.").waitFor();
    expect(page.url()).not.toContain("problem");
  });

  it("sees that nothing was lost if the server fails or the connection is cut, and can press again", async () => {
    const { page } = await aPhone();
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

  it("changes language and colors without losing the other choice, and copies the amount", async () => {
    const { page } = await aPhone({ permissions: ["clipboard-read", "clipboard-write"], colorScheme: "light" });
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
    const { page, faults } = await aPhone();
    const { token } = await shop.order();
    await page.goto(`${origin}/pay/${token}`);
    await page.getByRole("button", { name: "Simulate payment" }).click();
    await page.getByRole("heading", { name: "Paid", exact: true }).waitFor();
    expect(faults).toEqual([]);
  });
});

const given = givenLook();
/** The look that is asked for; the long run takes all of them. */
const look: Look = { lang: given.language, theme: given.theme, width: 390 };

describe(`every face of the page, ${look.lang} ${look.theme}`, () => {
  it("is accessible and fits a phone", async () => {
    const page = await browser.page(sessionOptions(look));
    for (const face of faces) {
      await showFace(page, face, look);
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), `${face} is wider than the screen`).toBe(true);
      await expectAccessible(page);
    }
  });
});

it.each(["en", "zh"] as const)("fits the smallest phone, in %s: what matters is visible without scrolling and in line", async (lang) => {
  await expectFitsPhone(browser, smallPhones[0], lang);
});
