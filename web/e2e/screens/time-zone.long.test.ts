import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { createOrder } from "../../../server/src/orders/index.ts";
import { expectAccessible } from "../../../server/test/support/browser/browser.ts";
import { openDashboard } from "../../../server/test/support/dashboard/dashboard.ts";
import { dashboardApp } from "../../../server/test/support/dashboard/dashboard-app.ts";
import { visitor } from "../../../server/test/support/people/visitors.ts";

const {
  app,
  browser,
  look: { onPhone, ...look },
  say,
  origin,
} = await dashboardApp({ startsAt: "2026-11-20T17:30:00Z" });

test("a project's time zone is found by its city, stored with the other settings, and used for its dates", async () => {
  const shop = await app.tenant();
  const owner = await visitor(app, { merchant_id: shop.merchant_id });
  const path = `/api/v1/projects/${shop.project_id}`;
  await owner.api.call("PATCH", path, { body: { settings: { branding: { display_name: "Tea" } } } });
  await createOrder(app.ctx, shop, {
    ...{ amount_minor: 1000, currency: "CNY", reference: "202611200001234567", description: "=HYPERLINK(1)" },
    customer: { email: "li@tea.example" },
  });
  const { page } = await openDashboard(browser, { origin, look, onPhone, email: owner.email });
  await page.goto(`${origin}/dashboard/settings`);
  const field = page.getByRole("combobox", { name: say("Time zone", "时区") });
  expect(await field.getAttribute("placeholder")).toBe("Asia/Shanghai");
  await field.fill("tokyo");
  await page.getByRole("option", { name: /^Asia\/Tokyo/ }).click();
  await expectAccessible(page);
  const project = page.locator("form", { has: field });
  await project.getByRole("button", { name: say("Save", "保存") }).click();
  await expect
    .poll(async () => (await owner.api.get(path)).body.settings)
    .toEqual({ branding: { display_name: "Tea" }, time_zone: "Asia/Tokyo" });
  await page.getByText(say("Saved", "已保存")).first().waitFor();
  const branding = page.locator("form", { has: page.getByLabel(say("Name on the page", "页面上的名称")) });
  await branding.getByLabel(say("Support email", "客服邮箱")).fill("help@tea.example");
  await branding.getByRole("button", { name: say("Save", "保存") }).click();
  await expect
    .poll(async () => (await owner.api.get(path)).body.settings)
    .toMatchObject({ branding: { support_email: "help@tea.example" }, time_zone: "Asia/Tokyo" });
  await page.goto(page.url().replace(/\/settings$/, "/orders"));
  expect(await page.locator("time").first().textContent()).toContain("02:30");
  await expectExport(page);
  const figures = page.waitForRequest(/\/figures\?/);
  await page.goto(page.url().replace(/\/orders$/, ""));
  const { searchParams } = new URL((await figures).url());
  expect(searchParams.get("time_zone")).toBe("Asia/Tokyo");
  expect(searchParams.get("to")).toMatch(/T15:00:00.000Z$/);
});

/** The orders' export as the browser saves it: its BOM for spreadsheets, texts that no spreadsheet executes or rounds, and both clocks. */
async function expectExport(page: Page): Promise<void> {
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: say("Export CSV", "导出 CSV") }).click();
  const file = await saved;
  expect(file.suggestedFilename()).toMatch(/^orders-.+-test\.csv$/);
  const text = await readFile(await file.path(), "utf8");
  const [head = "", row = "", ...rest] = text.split("\r\n");
  expect([head.startsWith("\ufeffid,"), rest]).toEqual([true, [""]]);
  const cells = row.split(",");
  expect(cells).toHaveLength(head.split(",").length);
  const cell = Object.fromEntries(head.split(",").map((name, at) => [name, cells[at]]));
  expect(cell).toMatchObject({
    reference: '"202611200001234567\t"',
    ...{ status: "unpaid", amount_minor: "1000", amount: "10.00", currency: "CNY" },
    ...{ customer_email: "li@tea.example", description: "'=HYPERLINK(1)" },
    ...{ created_at_local: "2026-11-21 02:30:00", paid_at_local: "", time_zone: "Asia/Tokyo" },
  });
  expect(cell["created_at"]).toMatch(/^2026-11-20T17:30:00\.\d{3}Z$/);
}
