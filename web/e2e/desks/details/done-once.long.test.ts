import { expect, test } from "vitest";
import { prepareToIntercept, screenshot } from "../../../../server/test/support/browser/browser.ts";
import { openDashboard } from "../../../../server/test/support/dashboard/dashboard.ts";
import { dashboardApp } from "../../../../server/test/support/dashboard/dashboard-app.ts";
import { openShop } from "../../../../server/test/support/dashboard/open-shop.ts";
import { loseFirst } from "../../../../server/test/support/desks/lose-first.ts";
import { receiptShops } from "../../../../server/test/support/payments/receipt-shop.ts";
import { visitor } from "../../../../server/test/support/people/visitors.ts";

const dashboard = await dashboardApp();
const { app, browser, look, say, origin } = dashboard;
const timeLimit = 120_000;

/** A shop's page of incoming transfers. */
async function receiptsDesk() {
  const shop = await receiptShops(app)({ mode: "exact" });
  const person = await visitor(app, { merchant_id: shop.merchant_id, role: "reviewer" });
  const { page } = await openDashboard(browser, { origin, look, email: person.email });
  return { shop, page, dialog: page.getByRole("dialog") };
}

test(
  "a transfer that is already recorded isn't called added: one that looks the same needs a number, payer or note, and a used number says so",
  async () => {
    const { shop, page, dialog } = await receiptsDesk();
    await page.clock.setFixedTime(app.clock.now());
    await page.goto(`${origin}/dashboard/receipts`);
    const add = async (fields: Record<string, string>) => {
      await page
        .getByRole("button", { name: say("Add transfer", "登记到账") })
        .first()
        .click();
      for (const [label, text] of Object.entries({ [say("Amount (CNY)", "金额（CNY）")]: "99.00", ...fields }))
        await dialog.getByLabel(label).fill(text);
      await dialog.getByRole("button", { name: say("Add transfer of ¥", "登记到账 ¥") }).click();
    };
    const number = say("Transfer number", "转账单号");
    await add({});
    await dialog.waitFor({ state: "detached" });
    await add({});
    await dialog.getByText(say("is already recorded, so nothing was added", "已登记过，未重复登记")).waitFor();
    await screenshot(page, "receipt-known");
    await dialog.getByLabel(number).fill("1000050001");
    await dialog.getByRole("button", { name: say("Add transfer of ¥99.00", "登记到账 ¥99.00") }).click();
    await dialog.waitFor({ state: "detached" });
    await add({ [say("Amount (CNY)", "金额（CNY）")]: "50.00", [number]: "1000050001" });
    await dialog.getByText(say("This number is already recorded, for ¥99.00", "此单号已登记过")).waitFor();
    const known = (await app.api(shop.key).get(`/api/v1/projects/${shop.project_id}/receipts`)).body.data;
    expect(known.map(({ amount_minor }: { amount_minor: number }) => amount_minor)).toEqual([9900, 9900]);
  },
  timeLimit,
);

test(
  "when assigning breaks off, what was assigned is said, and not that nothing was changed",
  async () => {
    const { shop, page } = await receiptsDesk();
    const single = await shop.paying(6100);
    await shop.receipt({ amount_minor: single.payable });
    const orders = [await shop.paying(5123), await shop.paying(5123), await shop.paying(5123)];
    for (const { order_id } of orders.slice(0, 2)) await shop.approve(order_id);
    for (const payer_hint of ["李雷", "韩梅梅"]) await shop.receipt({ amount_minor: 5123, payer_hint });
    await prepareToIntercept(page);
    await page.route("**/receipts/bulk", (route) =>
      route.request().postData()?.includes("link_set") === true
        ? route.fulfill({ status: 500, json: { error: { type: "api_error", code: "internal_error", message: "It broke." } } })
        : route.continue(),
    );
    await page.goto(`${origin}/dashboard/receipts`);
    await page.locator(".waiting-line").nth(1).waitFor();
    for (const box of await page.locator(".waiting-line").getByRole("checkbox").all()) await box.check();
    await page.getByRole("button", { name: say("Assign 3 transfers", "关联 3 笔") }).click();
    await page
      .getByText(say("1 transfer assigned. Others may not be done yet: check the list and try again.", "已关联 1 笔。其余可能尚未完成"))
      .waitFor();
    expect((await shop.order(single.order_id)).status).toBe("paid");
  },
  timeLimit,
);

test(
  "an order whose response was lost is created when a field was changed before the button is pressed again",
  async () => {
    const { page, goto } = await openShop(dashboard);
    await loseFirst(page, "**/orders");
    await goto("/orders?new=1");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(say("Amount", "金额"), { exact: true }).fill("99.00");
    await dialog.getByRole("button", { name: say("Create order for ¥99.00", "新建订单 ¥99.00") }).click();
    await dialog.getByText(say("this may already be done", "操作可能已完成")).waitFor();
    await dialog.getByLabel(say("Description", "说明")).fill("A better one");
    await dialog.getByRole("button", { name: say("Create order for ¥99.00", "新建订单 ¥99.00") }).click();
    await page.getByText(say("Order created. Send its link to the buyer.", "订单已创建，请把链接发给买家。")).waitFor();
  },
  timeLimit,
);
