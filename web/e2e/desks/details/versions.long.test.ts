import { expect, test } from "vitest";
import { screenshot } from "../../../../server/test/support/browser/browser.ts";
import { openDashboard } from "../../../../server/test/support/dashboard/dashboard.ts";
import { dashboardApp } from "../../../../server/test/support/dashboard/dashboard-app.ts";
import { openShop } from "../../../../server/test/support/dashboard/open-shop.ts";
import { visitor } from "../../../../server/test/support/people/visitors.ts";

const dashboard = await dashboardApp();
const { app, browser, look, say, origin } = dashboard;
const timeLimit = 120_000;

test(
  "both forms of the settings are saved when both were changed first, and neither undoes the other",
  async () => {
    const { tenant, page, goto } = await openShop(dashboard);
    await goto("/settings");
    const name = page.getByLabel(say("Name", "名称"), { exact: true }).first();
    const shown = page.getByLabel(say("Name on the page", "页面上的名称"));
    await name.fill("Ada's shop");
    await shown.fill("Ada");
    const project = async () => (await app.api(tenant.key).get(`/api/v1/projects/${tenant.project_id}`)).body;
    await name.press("Enter");
    await expect.poll(async () => (await project()).name).toBe("Ada's shop");
    await page.getByText(say("Saved", "已保存")).first().waitFor();
    expect(await shown.inputValue()).toBe("Ada");
    await shown.press("Enter");
    await expect.poll(async () => (await project()).settings.branding?.display_name, { timeout: 10_000 }).toBe("Ada");
    expect(await project()).toMatchObject({ name: "Ada's shop" });
    await screenshot(page, "versions-settings");
  },
  timeLimit,
);

test(
  "a price table that another operator replaced meanwhile isn't overwritten by the dialog that was opened before",
  async () => {
    const operator = await visitor(app, { merchant_id: (await app.tenant()).merchant_id, role: "owner", is_operator: true });
    const table = async () => (await operator.api.get("/api/admin/message-prices")).body;
    const put = async (body: object) =>
      operator.api.call("PUT", "/api/admin/message-prices", { body, headers: { "if-match": String((await table()).version) } });
    await put({ currency: "USD", prices: [{ channel: "sms", destination: "*", price_micros: 7500 }] });
    const { page } = await openDashboard(browser, { origin, look, email: operator.email });
    await page.goto(`${origin}/dashboard/operator/prices`);
    await page.getByRole("button", { name: say("Add a price", "添加价格") }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(say("Destination", "目的地")).fill("US");
    await dialog.getByLabel(say("Price", "价格"), { exact: true }).fill("0.12");
    await put({ currency: "EUR", prices: [{ channel: "sms", destination: "*", price_micros: 9000 }] });
    // The page behind the dialog shows the other operator's table.
    const refetched = async () => {
      await page.evaluate(`window.dispatchEvent(new Event("visibilitychange"))`);
      return page.getByText("0.009").count();
    };
    await expect.poll(refetched, { timeout: 25_000 }).toBeGreaterThan(0);
    await dialog.getByRole("button", { name: say("Add a price", "添加价格") }).click();
    await page.getByText(say("Someone else just changed this.", "其他人刚刚修改过这里。")).first().waitFor();
    await dialog.waitFor({ state: "detached" });
    expect(await table()).toMatchObject({ currency: "EUR", prices: [{ destination: "*", price_micros: 9000 }] });
  },
  timeLimit,
);
