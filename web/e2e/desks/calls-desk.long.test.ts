import { expect, test } from "vitest";
import { expectAccessible } from "../../../server/test/support/browser/browser.ts";
import { dashboardApp } from "../../../server/test/support/dashboard/dashboard-app.ts";
import { openShop } from "../../../server/test/support/dashboard/open-shop.ts";

const dashboard = await dashboardApp();
const { app, say } = dashboard;
const timeLimit = 120_000;

test(
  "a call that speaks a text is placed by hand, after a wrong number was explained next to its field",
  async () => {
    const { tenant, page, complaints, goto } = await openShop(dashboard);
    await goto("/calls");
    await page.getByRole("button", { name: say("Place call", "拨打电话") }).click();
    const dialog = page.getByRole("dialog");
    const to = dialog.getByLabel(say("To", "被叫"), { exact: true });
    await to.fill("911");
    await dialog.getByLabel(say("Text to speak", "播报内容")).fill("Your order is ready.");
    await dialog.getByRole("button", { name: say("Place call", "拨打电话") }).click();
    await dialog.locator("[aria-invalid=true]").waitFor();
    await expectAccessible(page);
    await to.fill("+15005552000");
    await dialog.getByRole("button", { name: say("Place call", "拨打电话") }).click();
    await page.getByRole("heading", { level: 1, name: say("Call to +15005552000", "拨给 +15005552000 的电话") }).waitFor();
    const { data } = (await app.api(tenant.key).get("/v1/calls")).body;
    expect(data).toMatchObject([{ to: "+15005552000", from: "+15005550006", text: "Your order is ready." }]);
    expect(complaints.filter((text) => !/ status of 400 /.test(text))).toEqual([]);
  },
  timeLimit,
);
