import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { drawQrPng } from "../../../server/src/assets/index.ts";
import { fanOut } from "../../../server/src/webhooks/index.ts";
import { expectAccessible } from "../../../server/test/support/browser/browser.ts";
import { dashboardApp } from "../../../server/test/support/dashboard/dashboard-app.ts";
import { arrivals } from "../../../server/test/support/desks/arrivals.ts";
import { ownPost } from "../../../server/test/support/mail/own-post.ts";
import { wechatCode } from "../../../server/test/support/payments/pay-shop.ts";
import { testPassword } from "../../../server/test/support/people/visitors.ts";

const dashboard = await dashboardApp({ http: { signUp: "open" } });
const { app, look, say, origin } = dashboard;
const { arrive, press, title, filled, stateOf } = arrivals(dashboard);
const post = ownPost(app);

async function signUp(page: Page, email: string): Promise<void> {
  await page.goto(`${origin}/dashboard`);
  await page.getByRole("link", { name: say("Create an account", "创建账号") }).click();
  await filled(page, say("Your name", "您的姓名"), "Li Wei");
  await filled(page, say("Business name", "商户名称"), "Tea House");
  await filled(page, say("Email", "邮箱"), email);
  await filled(page, say("Password", "密码"), testPassword);
  await press(page, "Create an account", "创建账号");
  await title(page, say("Two-step sign-in", "还差一步"));
  await page.goto((await post.read(email)).link);
  await title(page, say("Email confirmed", "邮箱已确认"));
  await page.getByRole("link", { name: say("Continue", "继续") }).click();
  await filled(page, say("Email", "邮箱"), email);
  await filled(page, say("Password", "密码"), testPassword);
  await press(page, "Sign in", "登录");
}

async function setUp(page: Page): Promise<void> {
  await filled(page, say("Name", "名称"), "Web shop");
  await press(page, "Create project", "创建项目");
  await title(page, say("Overview", "概览"));
  await page.getByRole("link", { name: say("Add a receiving code", "添加收款码") }).click();
  await page.locator(".code-card").first().getByRole("button").click();
  await page
    .getByRole("dialog")
    .locator('input[type="file"]')
    .setInputFiles({ name: "code.png", mimeType: "image/png", buffer: Buffer.from(drawQrPng(wechatCode, { scale: 8 })) });
  await page.getByRole("dialog").getByText(wechatCode).waitFor();
  await press(page, "Save", "保存");
  await page.locator(".code-card .badge", { hasText: say("Active", "使用中") }).waitFor();
}

async function firstOrder(page: Page): Promise<Page> {
  await page.getByRole("link", { name: say("Overview", "概览"), exact: true }).click();
  await page.getByRole("link", { name: say("Create and pay a TEST order", "创建第一笔测试订单并付款") }).click();
  await filled(page, say("Amount", "金额"), "36.50");
  await page
    .getByRole("dialog")
    .getByRole("button", { name: say("Create order for", "新建订单") })
    .click();
  await page.getByRole("link", { name: say("Open payment page", "以买家身份打开") }).waitFor();
  await expectAccessible(page);
  const [buyer] = await Promise.all([
    page.waitForEvent("popup"),
    page.getByRole("link", { name: say("Open payment page", "以买家身份打开") }).click(),
  ]);

  return buyer;
}

describe(`in ${look.language} and ${look.theme}`, () => {
  test("a shop developer signs up, confirms by email, sets a code, orders, pays as the buyer, approves, and sees the order paid", async () => {
    const { page, complaints } = await arrive();
    await signUp(page, "li@tea.example");
    await setUp(page);
    const buyer = await firstOrder(page);
    await buyer.getByRole("button", { name: say("WeChat Pay", "微信支付") }).click();
    await buyer.getByRole("button", { name: say("I have paid", "我已付款") }).click();
    await buyer.getByRole("heading", { name: say("Checking your payment", "正在确认您的付款") }).waitFor();
    while ((await fanOut(app.ctx)) > 0);
    const review = page.getByRole("main").getByRole("link", { name: say("Review", "核对") });
    await review.waitFor();
    await review.click();
    await page.getByRole("button", { name: say("Approve", "通过") }).click();
    await page.getByRole("heading", { name: say("Nothing to review", "没有待核对的款项") }).waitFor();
    // Leaving the desk sends the decision.
    await page.getByRole("link", { name: say("Orders", "订单"), exact: true }).click();
    await buyer.getByRole("heading", { name: say("Paid", "付款成功") }).waitFor();
    await page.locator(".row-link").click();
    await stateOf(page, "Paid", "已付款").waitFor();
    expect(complaints).toEqual([]);
  });
});
