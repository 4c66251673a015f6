import { expect, test } from "vitest";
import { dashboardApp } from "../../../server/test/support/dashboard/dashboard-app.ts";
import { importOnPhone } from "../../../server/test/support/statements/phone-import.ts";

const { app, browser, origin } = await dashboardApp();

test("in Chinese, on a phone, the import says what each row would do and what was done", async () => {
  const { page, dialog, complaints } = await importOnPhone({ app, browser, origin });
  await dialog.getByRole("button", { name: "处理 2 笔到账" }).tap();
  await page.locator(".waiting-line").first().waitFor();
  expect(complaints).toEqual([]);
}, 180_000);
