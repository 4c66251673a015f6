import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { drawQrPng } from "../../../server/src/assets/index.ts";
import { fanOut } from "../../../server/src/webhooks/index.ts";
import { expectAccessible } from "../../../server/test/support/browser/browser.ts";
import { openDashboard } from "../../../server/test/support/dashboard/dashboard.ts";
import { dashboardApp } from "../../../server/test/support/dashboard/dashboard-app.ts";
import { ownPost } from "../../../server/test/support/mail/own-post.ts";
import { payShop, wechatCode } from "../../../server/test/support/payments/pay-shop.ts";
import { totp } from "../../../server/test/support/people/totp.ts";
import { testPassword, visitor } from "../../../server/test/support/people/visitors.ts";
import { photo } from "../../../server/test/support/pictures/pictures.ts";

const { app, browser, look, say, origin } = await dashboardApp({ http: { signUp: "open" } });
const post = ownPost(app);
const timeLimit = 120_000;

/** A browser session that finds the configured URL where this test's server listens; buyers' pages follow its language. */
async function arrive(options: { onPhone?: boolean; email?: string } = {}) {
  const opened = await openDashboard(browser, { origin, look, ...options });
  const context = opened.page.context();
  const { publicUrl } = app.ctx;
  await context.setExtraHTTPHeaders({ "accept-language": look.language });
  await context.route(`${publicUrl}/**`, (route) =>
    route.fulfill({ status: 302, headers: { location: route.request().url().replace(publicUrl, origin) } }),
  );
  return opened;
}

const press = (page: Page, en: string, zh: string) => page.getByRole("button", { name: say(en, zh), exact: true }).click();
const title = (page: Page, text: string) => page.getByRole("heading", { level: 1, name: text }).waitFor();
const filled = (page: Page, label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text);
const stateOf = (page: Page, en: string, zh: string) => page.locator(".page-title .badge", { hasText: say(en, zh) });

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
  await press(page, "Create", "新建");
  await page.getByRole("link", { name: say("Open payment page", "以买家身份打开") }).waitFor();
  await expectAccessible(page);
  const [buyer] = await Promise.all([
    page.waitForEvent("popup"),
    page.getByRole("link", { name: say("Open payment page", "以买家身份打开") }).click(),
  ]);

  return buyer;
}

async function payWithProof(token: string): Promise<Page> {
  const { page: buyer } = await arrive({ onPhone: true });
  await buyer.goto(`${origin}/pay/${token}`);
  await buyer.getByRole("button", { name: say("Alipay", "支付宝") }).tap();
  await buyer.getByRole("button", { name: say("I have paid", "我已付款") }).tap();
  const picture = { name: "proof.jpg", mimeType: "image/jpeg", buffer: await photo(390, 800) };
  await buyer.getByLabel(say("Screenshot of the payment", "付款截图")).setInputFiles(picture);
  await buyer.getByRole("button", { name: say("Send proof", "提交凭证") }).tap();
  await buyer.getByText(say("Proof received", "收到凭证")).waitFor();
  return buyer;
}

describe(`in ${look.language} and ${look.theme}`, () => {
  test(
    "a shop developer signs up, confirms by email, sets a code, orders, pays as the buyer, approves, and sees the order paid",
    async () => {
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
      await buyer.getByRole("heading", { name: say("Paid", "付款成功") }).waitFor();
      await page.getByRole("link", { name: say("Orders", "订单"), exact: true }).click();
      await page.locator(".row-link").click();
      await stateOf(page, "Paid", "已付款").waitFor();
      expect(complaints).toEqual([]);
    },
    timeLimit,
  );

  test(
    "a person invited without an account signs up through the email on a phone, approves a waiting proof, and the order is paid",
    async () => {
      const { tenant, order } = await payShop(app);
      const owner = await visitor(app, { merchant_id: tenant.merchant_id, role: "owner" });
      const { page: ownerPage, complaints } = await arrive({ email: owner.email });
      await ownerPage.goto(`${origin}/dashboard/team`);
      await press(ownerPage, "Invite", "邀请");
      const ask = ownerPage.getByRole("dialog");
      await ask.getByLabel(say("Email", "邮箱")).fill("guest@tea.example");
      await ask.getByRole("button", { name: say("Invite", "邀请") }).click();
      await ownerPage.getByText("guest@tea.example").waitFor();

      const { order: waiting, token } = await order({ reference: "INV-7" });
      const buyer = await payWithProof(token);
      const { page: phone, complaints: onPhone } = await arrive({ onPhone: true });
      await phone.goto((await post.read("guest@tea.example")).link);
      await title(phone, say("You're invited", "您收到一份邀请"));
      await filled(phone, say("Your name", "您的姓名"), "Wu Min");
      await filled(phone, say("Password", "密码"), testPassword);
      await expectAccessible(phone);
      await phone.getByRole("button", { name: say("Join", "加入") }).tap();
      await title(phone, say("Overview", "概览"));
      await phone
        .getByRole("navigation")
        .last()
        .getByRole("link", { name: say("Review", "核对") })
        .tap();
      await phone.getByRole("heading", { level: 2, name: "INV-7" }).waitFor();
      await phone.getByRole("button", { name: say("Approve", "通过") }).tap();
      await phone.getByRole("heading", { name: say("Nothing to review", "没有待核对的款项") }).waitFor();
      await buyer.getByRole("heading", { name: say("Paid", "付款成功") }).waitFor();
      expect((await app.api(tenant.key).get(`/api/v1/projects/${tenant.project_id}/orders/${waiting.id}`)).body.status).toBe("paid");
      expect([...complaints, ...onPhone]).toEqual([]);
    },
    timeLimit,
  );

  test(
    "two people view one order: what one does, the other sees without a reload, and a code confirms a session that is no longer fresh",
    async () => {
      const { tenant, order } = await payShop(app);
      const { order: shared } = await order({ reference: "INV-8" });
      const [one, two] = [
        await visitor(app, { merchant_id: tenant.merchant_id }),
        await visitor(app, { merchant_id: tenant.merchant_id, role: "viewer" }),
      ];
      const [{ page, complaints }, { page: other }] = [await arrive({ email: one.email }), await arrive({ email: two.email })];
      for (const opened of [page, other]) {
        await opened.goto(`${origin}/dashboard/orders/${shared.id}`);
        await title(opened, "INV-8");
      }
      await press(page, "Actions", "操作");
      await page.getByRole("menuitem", { name: say("Cancel order", "取消订单") }).click();
      await page
        .getByRole("dialog")
        .getByRole("button", { name: say("Cancel order", "取消订单"), exact: true })
        .click();
      while ((await fanOut(app.ctx)) > 0);
      for (const opened of [page, other]) await stateOf(opened, "Canceled", "已取消").waitFor();

      const { totp_uri } = (await one.api.post("/api/auth/two-factor/enable", { password: testPassword })).body;
      await one.api.post("/api/auth/two-factor/verify-totp", { code: totp(totp_uri, app.clock.now()) });
      app.clock.advance(10 * 60_000 + 1);
      await page.goto(`${origin}/dashboard/keys`);
      await page.getByRole("row", { name: /test/ }).getByRole("button").click();
      await page.getByRole("menuitem", { name: say("Rotate", "更换") }).click();
      await page
        .getByRole("dialog")
        .getByRole("button", { name: say("Rotate", "更换") })
        .click();
      await page.getByRole("button", { name: say("Use a code from your authenticator app", "改用身份验证器的验证码") }).click();
      await expectAccessible(page);
      await page.getByLabel(say("Code from your authenticator app", "身份验证器中的验证码")).fill(totp(totp_uri, app.clock.now()));
      await press(page, "Confirm", "确认");
      await page.getByRole("dialog").locator("code").getByText("svc_test_").waitFor();
      expect(complaints.filter((text) => !text.includes("status of 403 "))).toEqual([]);
    },
    timeLimit,
  );
});
