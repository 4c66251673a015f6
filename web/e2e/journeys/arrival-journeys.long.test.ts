import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { fanOut } from "../../../server/src/webhooks/index.ts";
import { expectAccessible } from "../../../server/test/support/browser/browser.ts";
import { dashboardApp } from "../../../server/test/support/dashboard/dashboard-app.ts";
import { arrivals } from "../../../server/test/support/desks/arrivals.ts";
import { ownPost } from "../../../server/test/support/mail/own-post.ts";
import { payShop } from "../../../server/test/support/payments/pay-shop.ts";
import { totp } from "../../../server/test/support/people/totp.ts";
import { testPassword, visitor } from "../../../server/test/support/people/visitors.ts";
import { photo } from "../../../server/test/support/pictures/pictures.ts";

const dashboard = await dashboardApp({ http: { signUp: "open" } });
const { app, look, say, origin } = dashboard;
const { arrive, press, title, filled, stateOf } = arrivals(dashboard);
const post = ownPost(app);
const timeLimit = 120_000;

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
