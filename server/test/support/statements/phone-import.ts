import type { Locator } from "playwright-core";
import { expect } from "vitest";
import { expectAccessible, screenshot } from "#test/support/browser/browser.ts";
import { openDashboard } from "#test/support/dashboard/dashboard.ts";
import type { DashboardApp } from "#test/support/dashboard/dashboard-app.ts";
import { visitor } from "#test/support/people/visitors.ts";
import { statementDay } from "./statement-day.ts";
import { wechatStatement } from "./statements.ts";

const rows = [
  { payer: "买家", amount: "77.00" },
  { type: "微信红包", payer: "妈妈", amount: "6.66" },
  { direction: "支出", type: "商户消费", amount: "25.00", state: "支付成功" },
  { payer: "退款人", amount: "12.00", state: "已全额退款" },
  { payer: "谁", amount: "十二元" },
].map((row, at) => ({ ...row, number: `10000499012026112${at}0000000001`, time: "2026-11-20 10:00:00" }));
const becomes = { "待您处理，没有对应的订单": "2", 不是收入: "2", 无法读取: "1", 文件总行数: "5" };

/** A statement of five rows, imported in Chinese on a phone, and the same page again for its first three. */
export async function importOnPhone({ app, browser, origin }: Pick<DashboardApp, "app" | "browser" | "origin">) {
  const { tenant } = await statementDay(app, { count: 2, prices: 2 });
  const person = await visitor(app, { merchant_id: tenant.merchant_id, role: "reviewer" });
  const look = { language: "zh", theme: "dark" } as const;
  const { page, complaints } = await openDashboard(browser, { origin, look, onPhone: true, email: person.email });
  const dialog = page.getByRole("dialog");
  const give = async (some: typeof rows) => {
    await page.goto(`${origin}/dashboard/receipts?import=1`);
    const file = { name: "微信支付账单.csv", mimeType: "text/csv", buffer: wechatStatement(some) };
    await dialog.locator("input[type=file]").setInputFiles(file);
  };
  await give(rows);
  await dialog.getByRole("heading", { name: "导入前核对" }).waitFor();
  await dialog.getByText("文件共 5 行，尚未做任何处理。").waitFor();
  expect(await countsOf(dialog)).toEqual(becomes);
  await dialog.getByText("第 22 行：无法识别金额。").waitFor();
  await dialog.getByText("逐行查看（3）").tap();
  await dialog.getByRole("row", { name: /妈妈.*6\.66.*待处理/ }).waitFor();
  await expectAccessible(page);
  await screenshot(page, "import-zh-preview");
  await dialog.getByRole("button", { name: "导入", exact: true }).tap();
  await dialog.getByText("读取 5 行，新增 2 笔到账。").waitFor();
  expect(await countsOf(dialog)).toEqual(becomes);
  await screenshot(page, "import-zh-done");
  return { page, dialog, complaints, giveAgain: () => give(rows.slice(0, 3)) };
}

/** The import's counts by their labels. */
async function countsOf(dialog: Locator): Promise<Record<string, string>> {
  const labels = await dialog.locator("dt").all();
  return Object.fromEntries(
    await Promise.all(labels.map(async (one) => [await one.textContent(), await one.locator("+ dd").textContent()])),
  );
}
