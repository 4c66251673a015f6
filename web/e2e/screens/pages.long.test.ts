import { describe, expect, test } from "vitest";
import { createOrder, simulatePayment } from "../../../server/src/orders/index.ts";
import { expectAccessible } from "../../../server/test/support/browser/browser.ts";
import { openDashboard } from "../../../server/test/support/dashboard/dashboard.ts";
import { dashboardApp } from "../../../server/test/support/dashboard/dashboard-app.ts";
import { payShop } from "../../../server/test/support/payments/pay-shop.ts";
import { totp } from "../../../server/test/support/people/totp.ts";
import { testPassword, visitor } from "../../../server/test/support/people/visitors.ts";

const { app, browser, look, say, origin } = await dashboardApp();
const timeLimit = 120_000;

/** Passkeys belong to the one address that people see; visitors of the API come from another one. */
const seenAt = (publicUrl: string) => void Object.assign(app.ctx, { publicUrl });
const usual = app.ctx.publicUrl;

async function shop() {
  seenAt(usual);
  const { tenant } = await payShop(app);
  const person = await visitor(app, { merchant_id: tenant.merchant_id, role: "owner" });
  seenAt(origin);
  return { tenant, person };
}

const openFor = (email: string) => openDashboard(browser, { origin, look, email });

describe(`in ${look.language} and ${look.theme}, on a phone: ${look.onPhone}`, () => {
  test(
    "a passkey is added under a name, signs in without a password, and signs no one in once it is removed",
    async () => {
      const { person } = await shop();
      const { page } = await openFor(person.email);
      const debug = await page.context().newCDPSession(page);
      await debug.send("WebAuthn.enable");
      const device = {
        protocol: "ctap2",
        transport: "internal",
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
      } as const;
      await debug.send("WebAuthn.addVirtualAuthenticator", { options: device });
      await page.goto(`${origin}/dashboard/security`);
      await page.getByRole("button", { name: say("Add passkey", "添加通行密钥") }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("textbox").fill("Counter");
      await dialog.getByRole("button", { name: say("Continue", "继续") }).click();
      await page.getByText("Counter", { exact: true }).waitFor();
      await expectAccessible(page);

      const signIn = async () => {
        await page.context().clearCookies({ name: /session/ });
        await page.goto(`${origin}/dashboard/sign-in`);
        await page.getByRole("button", { name: say("Sign in with a passkey", "使用通行密钥登录") }).click();
      };
      await signIn();
      await page.getByRole("heading", { level: 1, name: say("Overview", "概览") }).waitFor();
      await page.goto(`${origin}/dashboard/security`);
      await page.getByRole("button", { name: say("Remove: Counter", "移除：Counter") }).click();
      await dialog.getByRole("button", { name: say("Remove", "移除"), exact: true }).click();
      await page.getByText("Counter", { exact: true }).waitFor({ state: "detached" });
      await signIn();
      await page.getByRole("alert").waitFor();
      expect(await page.getByRole("alert").textContent()).toContain(say("no longer registered here", "已失效"));
    },
    timeLimit,
  );

  test(
    "two-step sign-in is turned on, its recovery codes can be saved, and one of them signs in once",
    async () => {
      const { person } = await shop();
      const { page } = await openFor(person.email);
      const dialog = page.getByRole("dialog");
      const turnOn = say("Turn on", "开启");
      await page.goto(`${origin}/dashboard/security`);
      await page.getByRole("button", { name: turnOn, exact: true }).click();
      await dialog.locator("input").fill(testPassword);
      const answered = page.waitForResponse(/two-factor\/enable/);
      await dialog.getByRole("button", { name: turnOn, exact: true }).click();
      const { totp_uri } = (await (await answered).json()) as { totp_uri: string };
      await dialog.locator(".qr-stand").waitFor();
      await expectAccessible(page);
      // People can't scan the screen of the phone that they hold.
      expect(await dialog.locator('a[href^="otpauth:"]').isVisible()).toBe(look.onPhone);
      await dialog.locator("input").last().fill(totp(totp_uri, app.clock.now()));
      await dialog.getByRole("button", { name: turnOn, exact: true }).click();
      const codes = dialog.getByRole("list", { name: say("Recovery codes", "恢复码") }).getByRole("listitem");
      await codes.first().waitFor();
      await expectAccessible(page);
      const texts = await codes.allTextContents();
      expect(texts).toHaveLength(10);
      const file = page.waitForEvent("download");
      await dialog.getByRole("button", { name: say("Download", "下载") }).click();
      expect((await file).suggestedFilename()).toBe("tillpost-recovery-codes.txt");
      await dialog.getByRole("button", { name: say("I've saved them", "我已保存") }).click();

      const enter = async (code: string) => {
        await page.context().clearCookies({ name: /session/ });
        await page.goto(`${origin}/dashboard/sign-in`);
        await page.getByLabel(say("Email", "邮箱")).fill(person.email);
        await page.locator("input[type=password]").fill(testPassword);
        await page.getByRole("button", { name: say("Sign in", "登录"), exact: true }).click();
        await page.getByText(say("Use a recovery code instead", "改用恢复码")).click();
        await page.getByText(say("Enter one of the recovery codes you saved", "请输入您保存的恢复码")).waitFor();
        await page.getByLabel(say("Recovery code", "恢复码"), { exact: true }).fill(code);
        await page.keyboard.press("Enter");
      };
      await enter("AAAAA-BBBBB");
      await page.getByText(say("Incorrect recovery code", "恢复码不正确")).waitFor();
      await expectAccessible(page);
      await enter(texts[0] ?? "");
      await page.getByRole("heading", { level: 1, name: say("Overview", "概览") }).waitFor();
      await enter(texts[0] ?? "");
      await page.getByText(say("Incorrect recovery code", "恢复码不正确")).waitFor();
    },
    timeLimit,
  );

  test(
    "the callback secret is shown once, rolled, and finished; the keys page lists keys that call deprecated paths",
    async () => {
      const { tenant, person } = await shop();
      await app.api(tenant.key).get("/api/v1/orders");
      const { page, complaints } = await openFor(person.email);
      const dialog = page.getByRole("dialog");
      await page.goto(`${origin}/dashboard/webhooks`);
      for (const action of [say("Create secret", "生成密钥"), say("Roll secret", "更换密钥")]) {
        await page.getByRole("button", { name: action, exact: true }).click();
        await dialog.getByRole("button", { name: action, exact: true }).click();
        await dialog.getByText(/^whsec_/).waitFor();
        await dialog.getByText(say("Close", "关闭"), { exact: true }).click();
        await page
          .getByText(/^whsec_/)
          .first()
          .waitFor();
      }
      const finish = say("Finish roll now", "立即完成更换");
      await page.getByRole("button", { name: finish, exact: true }).click();
      await dialog.getByRole("button", { name: finish, exact: true }).click();
      await page.getByRole("button", { name: finish, exact: true }).first().waitFor({ state: "detached" });

      await (await app.server()).keys.flushUses();
      await page.goto(`${origin}/dashboard/keys`);
      await page.getByText("GET /api/v1/orders", { exact: true }).waitFor();
      expect(complaints).toEqual([]);
    },
    timeLimit,
  );

  test(
    "an expired order is reopened, and a receiving code keeps its picture when its name is changed",
    async () => {
      const { tenant, person } = await shop();
      const { order } = await createOrder(app.ctx, tenant, { amount_minor: 9900, currency: "CNY", reference: "INV-late" });
      await simulatePayment(app.ctx, tenant, { order_id: order.id, outcome: "expire" });
      const { page, complaints } = await openFor(person.email);
      const dialog = page.getByRole("dialog");
      await page.goto(`${origin}/dashboard/orders/${order.id}`);
      await page.getByRole("button", { name: say("Actions", "操作"), exact: true }).click();
      await page.getByRole("menuitem", { name: say("Reopen", "重新开放") }).click();
      await dialog.getByRole("button", { name: say("Reopen", "重新开放"), exact: true }).click();
      await page.locator(".page-title .badge", { hasText: say("Unpaid", "未付款") }).waitFor();

      await page.goto(`${origin}/dashboard/codes`);
      await page
        .getByRole("button", { name: say("Edit", "编辑") })
        .first()
        .click();
      await dialog.getByLabel(say("Payee name", "向买家显示的名称")).fill("张三");
      await dialog.getByRole("button", { name: say("Save", "保存"), exact: true }).click();
      await dialog.waitFor({ state: "detached" });
      const profiles = (await app.api(tenant.key).get(`/api/v1/projects/${tenant.project_id}/collection-profiles`)).body.data;
      expect(profiles.map(({ payee_name, qr_payload }: Record<string, unknown>) => [payee_name, qr_payload !== null])).toContainEqual([
        "张三",
        true,
      ]);
      expect(complaints).toEqual([]);
    },
    timeLimit,
  );
});
