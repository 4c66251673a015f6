import { describe, expect, test } from "vitest";
import { prepareToIntercept } from "../../../server/test/support/browser/browser.ts";
import { keyboardOn } from "../../../server/test/support/browser/keyboard.ts";
import { countScript, maxFirstScript, openDashboard } from "../../../server/test/support/dashboard/dashboard.ts";
import { dashboardApp } from "../../../server/test/support/dashboard/dashboard-app.ts";
import { payShop } from "../../../server/test/support/payments/pay-shop.ts";
import { testPassword, visitor } from "../../../server/test/support/people/visitors.ts";

const { app, browser, look, say, origin } = await dashboardApp();

describe(`only by keyboard, in ${look.language} and ${look.theme}`, () => {
  test("a person signs in by a small first load, skips to the page, creates an order, opens its menu, and leaves a dialog where they entered it", async () => {
    const { tenant } = await payShop(app);
    const person = await visitor(app, { merchant_id: tenant.merchant_id, role: "owner" });
    const { page, complaints } = await openDashboard(browser, { origin, look });
    const { press, type, read, has, tabTo, opened, closed, choose, pressHeld } = keyboardOn(page);
    const scriptBytes = countScript(page);
    await prepareToIntercept(page);
    await page.goto(`${origin}/dashboard`);
    await page.getByLabel(say("Email", "邮箱")).waitFor();
    await type(person.email);
    await tabTo(say("Password", "密码"));
    await type(testPassword);
    await press("Enter");
    await page.getByRole("heading", { level: 1, name: say("Overview", "概览") }).waitFor();
    await page.locator(".skeletons").first().waitFor({ state: "detached" });
    const script = await scriptBytes();
    expect(script).toBeGreaterThan(50_000);
    expect(script).toBeLessThanOrEqual(maxFirstScript);
    await page.goto(`${page.url()}/orders`);
    await page.locator(".empty").waitFor();

    await press("Tab");
    expect(await read()).toMatchObject({ name: say("Skip to content", "跳到正文"), seen: true });
    await press("Enter");
    expect(await page.evaluate(`[document.activeElement.tagName, getComputedStyle(document.activeElement).outlineStyle]`)).toEqual([
      "MAIN",
      "none",
    ]);
    await tabTo(say("New order", "新建订单"));
    await press("Enter");
    await opened();
    await press("Escape");
    await closed(say("New order", "新建订单"));

    await press("Enter");
    await opened();
    await tabTo(say("Amount", "金额"));
    await type("12.50");
    await tabTo(say("Create order for ¥12.50", "新建订单 ¥12.50"));
    await pressHeld(/\/orders$/);
    await page.locator(".page-title .badge").waitFor();
    await tabTo(say("Simulate", "模拟"));
    await press("Enter");
    await has({ role: "menuitem" });
    await press("Escape");
    await has({ name: say("Simulate", "模拟") });
    await choose(say("Simulate", "模拟"), say("Paid", "付款成功"));
    await page.locator(".page-title .badge", { hasText: say("Paid", "已付款") }).waitFor();
    expect(complaints).toEqual([]);
  });
});
