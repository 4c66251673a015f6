import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { createOrder, simulatePayment } from "../../../server/src/orders/index.ts";
import { prepareToIntercept } from "../../../server/test/support/browser/browser.ts";
import { keyboardOn } from "../../../server/test/support/browser/keyboard.ts";
import { openDashboard } from "../../../server/test/support/dashboard/dashboard.ts";
import { dashboardApp } from "../../../server/test/support/dashboard/dashboard-app.ts";
import { payShop } from "../../../server/test/support/payments/pay-shop.ts";
import { openNotices } from "../../../server/test/support/people/visitor-notices.ts";
import { testPassword, visitor } from "../../../server/test/support/people/visitors.ts";

const { app, browser, look, say, origin } = await dashboardApp();
const timeLimit = 120_000;

describe(`only by keyboard, in ${look.language} and ${look.theme}`, () => {
  test(
    "a reviewer decides with A, R, J and K, and nothing moves for people who prefer reduced motion",
    async () => {
      const { tenant } = await payShop(app);
      const person = await visitor(app, { merchant_id: tenant.merchant_id, role: "reviewer" });
      for (const reference of ["INV-1", "INV-2", "INV-3"]) {
        const { order } = await createOrder(app.ctx, tenant, { amount_minor: 9900, currency: "CNY", reference });
        await simulatePayment(app.ctx, tenant, { order_id: order.id, outcome: "pending_verify" });
      }
      const { page, complaints } = await openDashboard(browser, { origin, look, email: person.email });
      await page.emulateMedia({ reducedMotion: "reduce" });
      await page.goto(`${origin}/dashboard/review`);
      const waitForOrder = (reference: string) => page.getByRole("heading", { level: 2, name: reference }).waitFor();
      await waitForOrder("INV-1");
      await page.keyboard.press("j");
      await waitForOrder("INV-2");
      await page.keyboard.press("k");
      await waitForOrder("INV-1");
      await page.keyboard.press("a");
      await waitForOrder("INV-2");
      await page.keyboard.press("r");
      await page.getByRole("dialog").waitFor();
      expect(await page.getByRole("dialog").getByRole("radio").count()).toBe(5);
      expect(await page.getByRole("dialog").getByRole("radio", { checked: true }).count()).toBe(0);
      const moving = `document.getAnimations().length + [...document.querySelectorAll("*")].filter((one) => parseFloat(getComputedStyle(one).transitionDuration) > 0).length`;
      expect(await page.evaluate(moving)).toBe(0);
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await waitForOrder("INV-2");
      expect(complaints).toEqual([]);
    },
    timeLimit,
  );

  test(
    "Escape only closes the top dialog, and on a page the focus goes to the refused field",
    async () => {
      const { tenant } = await payShop(app);
      const person = await visitor(app, { merchant_id: tenant.merchant_id, role: "owner" });
      const { page } = await openDashboard(browser, { origin, look, email: person.email });
      const { press, type, has, opened, closed } = keyboardOn(page);
      app.clock.advance(10 * 60_000 + 1);
      await page.goto(`${origin}/dashboard/keys`);
      await page.getByRole("button", { name: say("New key", "新建密钥") }).click();
      await opened();
      await type("Till 1");
      await press("Enter");
      const confirmation = page.getByRole("dialog", { name: say("Confirm it's you", "请确认是您本人") });
      await confirmation.waitFor();
      await press("Escape");
      await confirmation.waitFor({ state: "detached" });
      expect(await page.getByRole("dialog").getByLabel(say("Name", "名称")).inputValue()).toBe("Till 1");
      await press("Escape");
      await closed();

      await page.goto(`${origin}/dashboard/settings`);
      const slug = page.getByLabel(say("Short name in URLs", "网址中的短名"));
      await slug.fill("not a slug");
      const form = page.locator("form").filter({ has: slug });
      await form.getByRole("button", { name: say("Save", "保存") }).click();
      await confirmation.locator("input").fill(testPassword);
      await confirmation.getByRole("button", { name: say("Confirm", "确认") }).click();
      await has({ name: say("Short name in URLs", "网址中的短名"), isFaulty: true });
      // A sentence, without the API's name for the field.
      await form
        .getByText(say("Only lowercase letters, digits and hyphens.", "只能使用小写字母、数字和连字符。"), { exact: true })
        .waitFor();
      expect(await form.textContent()).not.toMatch(/\b(slug|settings)\b/);
    },
    timeLimit,
  );

  test(
    "an invitation that can't be read right now is requested again, and only an invalid one is shown as invalid",
    async () => {
      const { tenant } = await payShop(app);
      const owner = await visitor(app, { merchant_id: tenant.merchant_id, role: "owner" });
      const email = "guest@tea.example";
      await owner.api.post("/api/v1/merchant/invitations", { email, role: "viewer" });
      const link = new URL((await openNotices(app, "invitation", email))[0]?.url ?? "");
      const { page } = await openDashboard(browser, { origin, look });
      await prepareToIntercept(page);
      await page.route(/\/api\/auth\/invitation$/, (route) => route.abort());
      await page.goto(`${origin}${link.pathname}${link.search}`);
      const again = page.getByRole("button", { name: say("Try again", "重试") });
      await again.waitFor();
      await page.unroute(/\/api\/auth\/invitation$/);
      await again.click();
      await page.getByRole("button", { name: say("Join", "加入") }).waitFor();
      await page.goto(`${origin}${link.pathname}?token=none`);
      await page.getByRole("heading", { name: say("This link no longer works", "链接已失效") }).waitFor();
    },
    timeLimit,
  );

  test(
    "a dialog's question gets the focus, however late it is loaded",
    async () => {
      const person = await visitor(app, { merchant_id: (await app.tenant()).merchant_id, role: "owner" });
      const { page, complaints } = await openDashboard(browser, { origin, look, email: person.email });
      const { press, type, has } = keyboardOn(page);
      await prepareToIntercept(page);
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      await page.route(/\/finder-[^/]+\.js$/, (way) => released.then(() => way.continue()));
      await page.goto(`${origin}/dashboard/orders`);
      await page.locator(".empty").waitFor();
      await press("Control+k");
      await has({ isInDialog: true, role: "dialog" });
      release();
      await has({ role: "combobox" });
      await type(say("new order", "新建订单"));
      await press("Enter");
      await page.getByRole("dialog", { name: say("New order", "新建订单") }).waitFor();
      await has({ name: say("Amount", "金额") });
      expect(complaints).toEqual([]);
    },
    timeLimit,
  );

  test(
    "of two tabs, TEST and LIVE, each shows in its title, its bar and its switch which one it is, and TEST is violet",
    async () => {
      const { tenant } = await payShop(app);
      const person = await visitor(app, { merchant_id: tenant.merchant_id, role: "owner" });
      const { page: inTest } = await openDashboard(browser, { origin, look, email: person.email });
      await inTest.goto(`${origin}/dashboard/orders`);
      await inTest.locator(".empty").waitFor();
      const inLive = await inTest.context().newPage();
      await inLive.goto(inTest.url().replace("/test/", "/live/"));
      await inLive.locator(".empty").waitFor();
      const markersOf = async (page: Page) => [
        (await page.title()).startsWith(say("TEST", "测试")),
        await page.getByRole("region", { name: say("TEST", "测试") }).count(),
        await page.locator(".environment-switch [aria-pressed=true]").getAttribute("data-one"),
      ];
      expect(await markersOf(inTest)).toEqual([true, 1, "test"]);
      expect(await markersOf(inLive)).toEqual([false, 0, "live"]);
      const colour = (selector: string) =>
        inTest.evaluate(`getComputedStyle(document.querySelector(${JSON.stringify(selector)})).backgroundColor`);
      expect(await colour(".test-bar")).toBe(await colour(".environment-switch [aria-pressed=true]"));
    },
    timeLimit,
  );
});
