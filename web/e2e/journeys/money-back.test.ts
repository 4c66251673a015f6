import { expect, test } from "vitest";
import { expectAccessible } from "../../../server/test/support/browser/browser.ts";
import { dashboardApp } from "../../../server/test/support/dashboard/dashboard-app.ts";
import { orderPages } from "../../../server/test/support/desks/order-page.ts";

const dashboard = await dashboardApp();
const { say } = dashboard;
const timeLimit = 120_000;
const { orderPage } = orderPages(dashboard);
const actions = say("Actions", "操作");
const refund = say("Record a refund", "登记退款");

test(
  "a part of an order is recorded as refunded, and marked as failed when it is returned",
  async () => {
    const { page, complaints, read } = await orderPage("owner");
    await page.getByRole("button", { name: actions, exact: true }).click();
    await page.getByRole("menuitem", { name: refund }).click();
    const dialog = page.getByRole("dialog");
    const amount = dialog.getByLabel(say("Amount (CNY)", "金额（CNY）"));
    expect(await amount.inputValue()).toBe("99.00");
    await amount.fill("100");
    // The server's clock differs from the browser's.
    await dialog.getByLabel(say("Refunded on", "退款时间")).fill("2026-11-19T15:00");
    await dialog.getByLabel(say("Transfer number", "转账单号")).fill("42000099");
    await dialog.getByRole("button", { name: say("Record refund of ¥100.00", "登记退款 ¥100.00") }).click();
    await dialog
      .getByText(say("That's more than can still be refunded. Enter a smaller amount.", "超过可退金额，请填写较小的金额。"))
      .waitFor();
    await amount.fill("25.50");
    await expectAccessible(page);
    await dialog.getByRole("button", { name: say("Record refund of ¥25.50", "登记退款 ¥25.50") }).click();
    await dialog.waitFor({ state: "detached" });
    expect(await read()).toMatchObject({ status: "paid", amount_refunded_minor: 2550 });
    expect((await read("/refunds")).data).toMatchObject([
      { amount_minor: 2550, channel: "wechat", external_transaction_id: "42000099", status: "succeeded" },
    ]);
    await page.getByText("42000099").waitFor();
    await page.getByRole("button", { name: say("Mark as failed", "标记为失败") }).click();
    await dialog.getByRole("radiogroup", { name: say("Mark this refund as failed?", "将这笔退款标记为失败？") }).waitFor();
    await dialog.getByRole("radio", { name: say("The money came back", "款项被退回") }).click();
    await dialog.getByRole("button", { name: say("Mark as failed", "标记为失败") }).click();
    await dialog.waitFor({ state: "detached" });
    expect(await read()).toMatchObject({ amount_refunded_minor: 0 });
    await page.getByText(say("The money came back", "款项被退回")).waitFor();
    await expectAccessible(page);
    // The browser reports that the first one was refused.
    expect(complaints.filter((one) => !one.includes("409"))).toEqual([]);
  },
  timeLimit,
);
