import { describe, expect, test } from "vitest";
import { expectAccessible } from "../../../server/test/support/browser/browser.ts";
import { countScript, openDashboard } from "../../../server/test/support/dashboard/dashboard.ts";
import { dashboardApp } from "../../../server/test/support/dashboard/dashboard-app.ts";
import { payShop } from "../../../server/test/support/payments/pay-shop.ts";
import { testPassword, visitor } from "../../../server/test/support/people/visitors.ts";

const { app, browser, look, say, origin } = await dashboardApp();
const timeLimit = 120_000;
const maxScript = 250_000;

/** A shop with both codes, and its owner. */
async function shopWithOwner() {
  const { tenant } = await payShop(app);
  const person = await visitor(app, { merchant_id: tenant.merchant_id, role: "owner" });
  return { tenant, person };
}

describe(`in ${look.language} and ${look.theme}`, () => {
  test(
    "an owner signs in, creates an order, and sees it paid without a reload; the first load stays small",
    async () => {
      const { person } = await shopWithOwner();
      const { page, complaints } = await openDashboard(browser, { origin, look });
      const scriptBytes = countScript(page);
      await page.goto(`${origin}/dashboard`);
      await page.getByLabel(say("Email", "邮箱")).fill(person.email);
      await page.getByLabel(say("Password", "密码"), { exact: true }).fill(testPassword);
      const signIn = page.getByRole("button", { name: say("Sign in", "登录"), exact: true });
      // A mouse that stays where it clicked would be over a link of the overview, whose page is then preloaded.
      await (look.onPhone ? signIn.tap() : signIn.click());
      await page.getByRole("heading", { level: 1, name: say("Overview", "概览") }).waitFor();
      await expectAccessible(page);
      await page.locator(".skeletons").first().waitFor({ state: "detached" });
      const script = await scriptBytes();
      expect(script).toBeGreaterThan(50_000);
      expect(script).toBeLessThanOrEqual(maxScript);

      await page.keyboard.press("Control+k");
      await page.getByRole("combobox").fill(say("new order", "新建订单"));
      await page.keyboard.press("Enter");
      await page.getByLabel(say("Amount", "金额")).fill("88.00");
      await page.getByRole("textbox", { name: say("Reference", "订单号") }).fill("INV-1");
      await page.getByRole("button", { name: say("Create order for ¥88.00", "新建订单 ¥88.00") }).click();
      await page.getByRole("heading", { level: 1, name: "INV-1" }).waitFor();
      await expectAccessible(page);
      await page.getByRole("button", { name: say("Simulate", "模拟") }).click();
      await page.getByRole("menuitem", { name: say("Paid", "付款成功"), exact: true }).click();
      await page.locator(".page-title .badge", { hasText: say("Paid", "已付款") }).waitFor();
      expect(complaints.filter((text) => !text.includes("status of 401 "))).toEqual([]);
    },
    timeLimit,
  );

  test(
    "a rotated key is shown once, and the old one is refused",
    async () => {
      const { tenant, person } = await shopWithOwner();
      const { page } = await openDashboard(browser, { origin, look, email: person.email });
      await page.goto(`${origin}/dashboard/keys`);
      await page.getByRole("row", { name: /test/ }).getByRole("button").click();
      await page.getByRole("menuitem", { name: say("Rotate", "更换") }).click();
      await page
        .getByRole("dialog")
        .getByRole("button", { name: say("Rotate", "更换") })
        .click();
      const secret = await page.getByRole("dialog").locator("code").textContent();
      expect(secret).toMatch(/^svc_test_/);
      expect((await app.api(tenant.key).get("/api/v1/merchant")).body.error.code).toBe("api_key_revoked");
      expect((await app.api(secret ?? "").get("/api/v1/merchant")).status).toBe(200);
      await expectAccessible(page);
    },
    timeLimit,
  );

  test(
    "when removing a member, the keys that they created are offered, and the selected ones end with it",
    async () => {
      const { tenant, person } = await shopWithOwner();
      const leaving = await visitor(app, { merchant_id: tenant.merchant_id, role: "developer" });
      const made = async (name: string) => {
        const key = { name, permissions: ["orders:read"], environment: "test" };
        return (await leaving.in("test").post(`/api/v1/projects/${tenant.project_id}/api-keys`, key)).body.secret as string;
      };
      const [shop, till] = [await made("Web shop"), await made("Till")];
      const { page, complaints } = await openDashboard(browser, { origin, look, email: person.email });
      await page.goto(`${origin}/dashboard/team`);
      await page.getByRole("row", { name: leaving.email }).getByRole("button").click();
      await page.getByRole("menuitem", { name: say("Remove", "移除") }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByText(say("2 API keys keep working", "2 个 API 密钥仍然有效")).waitFor();
      expect(await dialog.getByRole("checkbox", { checked: true }).count()).toBe(0);
      await dialog.getByRole("checkbox", { name: "Web shop" }).check();
      await expectAccessible(page);
      await dialog.getByRole("button", { name: say("Remove and revoke 1 key", "移除并撤销 1 个密钥") }).click();
      await dialog.waitFor({ state: "detached" });
      const works = async (secret: string) => (await app.api(secret).get("/api/v1/orders")).status;
      expect([await works(shop), await works(till)]).toEqual([401, 200]);
      expect(complaints).toEqual([]);
    },
    timeLimit,
  );
});
