import { describe, expect, test } from "vitest";
import { expectAccessible } from "../../../server/test/support/browser/browser.ts";
import { countScript, openDashboard } from "../../../server/test/support/dashboard/dashboard.ts";
import { dashboardApp } from "../../../server/test/support/dashboard/dashboard-app.ts";
import { payShop } from "../../../server/test/support/payments/pay-shop.ts";
import { testPassword, visitor } from "../../../server/test/support/people/visitors.ts";

const { app, browser, look, say, origin } = await dashboardApp();
const timeLimit = 120_000;
const maxScript = 250_000;

describe(`in ${look.language} and ${look.theme}`, () => {
  test(
    "an owner signs in, and the first load stays small",
    async () => {
      const { tenant } = await payShop(app);
      const person = await visitor(app, { merchant_id: tenant.merchant_id, role: "owner" });
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
      expect(complaints.filter((text) => !text.includes("status of 401 "))).toEqual([]);
    },
    timeLimit,
  );
});
