import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { MatchingMode } from "#collection/profile/sql.ts";
import { openDashboard } from "#test/support/dashboard/dashboard.ts";
import type { DashboardApp } from "#test/support/dashboard/dashboard-app.ts";
import { receiptShops } from "#test/support/payments/receipt-shop.ts";
import { visitor } from "#test/support/people/visitors.ts";

/** A shop with a WeChat code, and a reviewer in front of its transfers. */
export function receiptsDesk({ app, browser, look, origin, say }: DashboardApp) {
  const shopWith = receiptShops(app);
  return {
    async open(mode: MatchingMode, options: { onPhone?: boolean } = {}) {
      const shop = await shopWith({ mode });
      const person = await visitor(app, { merchant_id: shop.merchant_id, role: "reviewer" });
      const { page, complaints } = await openDashboard(browser, { origin, look, ...options, email: person.email });
      const goto = async (view = "") => void (await page.goto(`${origin}/dashboard/receipts${view}`));
      return { shop, page, complaints, goto, line: page.locator(".waiting-line") };
    },
    /** Assigns the transfer of an amount to the order that fits it; `left`: how many transfers wait afterwards. */
    async assign(page: Page, { amount, left }: { amount: string; left: number }) {
      const line = page.locator(".waiting-line");
      await line
        .filter({ hasText: amount })
        .getByRole("button", { name: say("Assign", "关联"), exact: true })
        .click();
      await page.getByText(say("1 transfer assigned.", "已关联 1 笔。")).waitFor();
      await expect.poll(() => line.count()).toBe(left);
    },
  };
}
