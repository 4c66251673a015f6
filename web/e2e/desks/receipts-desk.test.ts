import { describe, expect, test } from "vitest";
import { expectAccessible } from "../../../server/test/support/browser/browser.ts";
import { dashboardApp } from "../../../server/test/support/dashboard/dashboard-app.ts";
import { receiptsDesk } from "../../../server/test/support/desks/receipts-desk.ts";

const dashboard = await dashboardApp();
const { app, look, say } = dashboard;
const { open, assign } = receiptsDesk(dashboard);

describe(`in ${look.language} and ${look.theme}`, () => {
  test("one suggestion is assigned in one press, and what isn't the shop's is ignored with a typed reason", async () => {
    const { shop, page, complaints, goto, line } = await open("exact");
    const { order_id, payable } = await shop.paying(6100);
    await shop.receipt({ amount_minor: payable });
    const stray = await shop.receipt({ amount_minor: 520, payer_hint: "妈妈", external_id: "1000050520" });
    await goto();
    await assign(page, { amount: "61.00", left: 1 });
    expect((await shop.order(order_id)).status).toBe("paid");

    await line.getByRole("button", { name: say("Ignore", "忽略") }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("radio", { name: say("Other reason", "其他原因") }).click();
    const ignore = dialog.getByRole("button", { name: say("Ignore", "忽略"), exact: true });
    expect(await ignore.isDisabled()).toBe(true);
    await dialog.getByLabel(say("Your reason", "具体原因")).fill("for the rent");
    await expectAccessible(page);
    await ignore.click();
    await page.getByRole("heading", { name: say("You're all caught up", "没有待处理的到账") }).waitFor();
    const at = `/api/v1/projects/${shop.project_id}/receipts/${stray.receipt.id}`;
    expect((await app.api(shop.key).get(at)).body).toMatchObject({ status: "ignored", decision_reason: "for the rent" });
    expect(complaints).toEqual([]);
  });
});
