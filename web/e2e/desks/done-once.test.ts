import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { prepareToIntercept } from "../../../server/test/support/browser/browser.ts";
import { dashboardApp } from "../../../server/test/support/dashboard/dashboard-app.ts";
import { openShop } from "../../../server/test/support/dashboard/open-shop.ts";

const dashboard = await dashboardApp();
const { app, say } = dashboard;
const timeLimit = 120_000;
const maybeDone = say("this may or may not be done", "操作可能已完成");

/** Lets the server carry out the first request, and loses its response. */
async function loseFirst(page: Page, path: string): Promise<void> {
  let isLost = false;
  await prepareToIntercept(page);
  await page.route(path, async (route) => {
    if (isLost || route.request().method() !== "POST") return route.continue();
    isLost = true;
    await route.fetch();
    await route.abort();
  });
}

test(
  "an SMS whose response was lost may be done, says the dialog, and is sent once when the button is pressed again",
  async () => {
    const { tenant, page, goto } = await openShop(dashboard);
    await loseFirst(page, "**/v1/sms");
    await goto("/sms?new=1");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(say("To", "接收号码"), { exact: true }).fill("+15005551000");
    await dialog.getByLabel(say("Message", "短信内容"), { exact: true }).fill("Your order is on its way.");
    await dialog.getByRole("button", { name: say("Send SMS", "发送短信") }).click();
    await dialog.getByText(maybeDone).waitFor();
    await dialog.getByRole("button", { name: say("Send SMS", "发送短信") }).click();
    await dialog.waitFor({ state: "detached" });
    expect((await app.api(tenant.key).get("/v1/sms")).body.data).toHaveLength(1);
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
    await dialog.getByText(maybeDone).waitFor();
    await dialog.getByLabel(say("Description", "说明")).fill("A better one");
    await dialog.getByRole("button", { name: say("Create order for ¥99.00", "新建订单 ¥99.00") }).click();
    await page.getByText(say("Order created. Send its link to the buyer.", "订单已创建，请把链接发给买家。")).waitFor();
  },
  timeLimit,
);
