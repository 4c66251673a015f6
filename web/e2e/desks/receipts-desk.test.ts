import { describe, expect, test } from "vitest";
import { expectAccessible } from "../../../server/test/support/browser/browser.ts";
import { openDashboard } from "../../../server/test/support/dashboard/dashboard.ts";
import { dashboardApp } from "../../../server/test/support/dashboard/dashboard-app.ts";
import { receiptShops } from "../../../server/test/support/payments/receipt-shop.ts";
import { visitor } from "../../../server/test/support/people/visitors.ts";

const { app, browser, look, say, origin } = await dashboardApp();
const timeLimit = 120_000;

describe(`in ${look.language} and ${look.theme}`, () => {
  test(
    "one suggestion is assigned in one press, all that fit in two; what isn't the shop's is ignored with a typed reason, and is restored",
    async () => {
      const shop = await receiptShops(app)({ mode: "exact" });
      const person = await visitor(app, { merchant_id: shop.merchant_id, role: "reviewer" });
      const { page, complaints } = await openDashboard(browser, { origin, look, email: person.email });
      const orders = [await shop.paying(6100), await shop.paying(6200), await shop.paying(6300)];
      for (const { payable } of orders) await shop.receipt({ amount_minor: payable });
      const stray = await shop.receipt({ amount_minor: 520, payer_hint: "妈妈", external_id: "1000050520" });
      const statuses = () => Promise.all(orders.map(async ({ order_id }) => (await shop.order(order_id)).status));
      const line = page.locator(".waiting-line");
      await page.goto(`${origin}/dashboard/receipts`);
      await line
        .filter({ hasText: "61.00" })
        .getByRole("button", { name: say("Assign", "关联"), exact: true })
        .click();
      await page.getByText(say("1 transfer assigned.", "已关联 1 笔。")).waitFor();
      await expect.poll(() => line.count()).toBe(3);
      expect(await statuses()).toEqual(["paid", "unpaid", "unpaid"]);

      await page.getByLabel(say("All with a match (2)", "全选有对应订单的（2）")).click();
      await page.getByRole("button", { name: say("Assign 2 transfers", "关联 2 笔") }).click();
      await expect.poll(() => line.count()).toBe(1);
      expect(await statuses()).toEqual(["paid", "paid", "paid"]);

      await line.getByRole("button", { name: say("Ignore", "忽略") }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("radio", { name: say("Other reason", "其他原因") }).click();
      const ignore = dialog.getByRole("button", { name: say("Ignore", "忽略"), exact: true });
      expect(await ignore.isDisabled()).toBe(true);
      await dialog.getByLabel(say("Your reason", "具体原因")).fill("for the rent");
      await expectAccessible(page);
      await ignore.click();
      await page.getByRole("heading", { name: say("You're all caught up", "没有待处理的到账") }).waitFor();
      const read = async () => (await app.api(shop.key).get(`/api/v1/projects/${shop.project_id}/receipts/${stray.receipt.id}`)).body;
      expect(await read()).toMatchObject({ status: "ignored", decision_reason: "for the rent" });

      await page.goto(`${origin}/dashboard/receipts?view=all`);
      await page
        .getByRole("button", { name: say("Actions: 1000050520", "操作：1000050520") })
        .filter({ visible: true })
        .click();
      await page.getByRole("menuitem", { name: say("Restore…", "恢复…") }).click();
      await dialog.getByRole("button", { name: say("Undo", "撤销") }).click();
      await page.getByText(say("1 transfer needs a decision again.", "1 笔重新待处理。")).waitFor();
      expect(await read()).toMatchObject({ status: "unmatched" });
      expect(complaints).toEqual([]);
    },
    timeLimit,
  );
});
