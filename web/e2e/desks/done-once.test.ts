import { expect, test } from "vitest";
import { dashboardApp } from "../../../server/test/support/dashboard/dashboard-app.ts";
import { openShop } from "../../../server/test/support/dashboard/open-shop.ts";
import { loseFirst } from "../../../server/test/support/desks/lose-first.ts";

const dashboard = await dashboardApp();
const { app, say } = dashboard;

test("an SMS whose response was lost may be done, says the dialog, and is sent once when the button is pressed again", async () => {
  const { tenant, page, goto } = await openShop(dashboard);
  await loseFirst(page, "**/v1/sms");
  await goto("/sms?new=1");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(say("To", "接收号码"), { exact: true }).fill("+15005551000");
  await dialog.getByLabel(say("Message", "短信内容"), { exact: true }).fill("Your order is on its way.");
  await dialog.getByRole("button", { name: say("Send SMS", "发送短信") }).click();
  await dialog.getByText(say("this may already be done", "操作可能已完成")).waitFor();
  await dialog.getByRole("button", { name: say("Send SMS", "发送短信") }).click();
  await dialog.waitFor({ state: "detached" });
  expect((await app.api(tenant.key).get("/v1/sms")).body.data).toHaveLength(1);
});
