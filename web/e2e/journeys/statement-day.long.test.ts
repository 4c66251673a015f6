import { expect, test } from "vitest";
import { expectAccessible } from "../../../server/test/support/browser/browser.ts";
import { openDashboard } from "../../../server/test/support/dashboard/dashboard.ts";
import { dashboardApp } from "../../../server/test/support/dashboard/dashboard-app.ts";
import { visitor } from "../../../server/test/support/people/visitors.ts";
import { importOnPhone } from "../../../server/test/support/statements/phone-import.ts";
import { expectDayClosed, statementDay, walkDay } from "../../../server/test/support/statements/statement-day.ts";

const { app, browser, origin } = await dashboardApp();

test("a day of 200 orders of 20 prices, clicked through: every order and transfer has its outcome, and the counts on screen are the files'", async () => {
  const day = await statementDay(app, { count: 200, prices: 20 });
  const person = await visitor(app, { merchant_id: day.tenant.merchant_id, role: "reviewer" });
  const { page, complaints } = await openDashboard(browser, { origin, look: { language: "en", theme: "light" }, email: person.email });
  const walk = await walkDay(page, { day, origin });
  await expectDayClosed(app, { day, walk });
  console.info(`${walk.clicks} clicks`);
  expect(walk.clicks).toBeLessThanOrEqual(60);
  expect(complaints).toEqual([]);
}, 600_000);

test("in Chinese, on a phone, the import of rows that are already there says that there is nothing new", async () => {
  const { page, dialog, complaints, giveAgain } = await importOnPhone({ app, browser, origin });
  await expectAccessible(page);
  await giveAgain();
  await dialog.getByText("文件中没有新的到账。").waitFor();
  expect(await dialog.getByRole("button", { name: "导入", exact: true }).count()).toBe(0);
  await dialog.getByRole("button", { name: "关闭", exact: true }).last().tap();
  await dialog.waitFor({ state: "detached" });
  expect(complaints).toEqual([]);
}, 180_000);

test("in Chinese, on a phone, the import says what each row would do and what was done", async () => {
  const { page, dialog, complaints } = await importOnPhone({ app, browser, origin });
  await dialog.getByRole("button", { name: "处理 2 笔到账" }).tap();
  await page.locator(".waiting-line").first().waitFor();
  expect(complaints).toEqual([]);
}, 180_000);
