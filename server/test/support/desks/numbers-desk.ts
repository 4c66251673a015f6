import type { Page } from "playwright-core";
import { expectAccessible, screenshot } from "#test/support/browser/browser.ts";
import { openDashboard } from "#test/support/dashboard/dashboard.ts";
import type { DashboardApp } from "#test/support/dashboard/dashboard-app.ts";
import { visitor } from "#test/support/people/visitors.ts";

/** A merchant who wants numbers, and an operator who decides about them. */
export function numbersDesk(dashboard: DashboardApp) {
  const { app, browser, look, origin } = dashboard;
  return {
    ...requestedNumber(dashboard),
    /** A person's browser at a page in LIVE. */
    async open({ email, project_id }: { email: string; project_id: string }, path: string) {
      const opened = await openDashboard(browser, { origin, look, email });
      await opened.page.goto(`${origin}/dashboard/${project_id}/live${path}`);
      await opened.page.locator("main h1").waitFor();
      return opened;
    },
    async people() {
      const [shop, own] = [await app.tenant({ livemode: true }), await app.tenant()];
      const seller = await visitor(app, { merchant_id: shop.merchant_id, role: "developer" });
      const operator = await visitor(app, { merchant_id: own.merchant_id, role: "owner", is_operator: true });
      return {
        shop,
        seller: { email: seller.email, project_id: shop.project_id },
        operator: { email: operator.email, project_id: own.project_id },
      };
    },
    /** The browser's own complaints about refused requests, which the page explains in words. */
    refused: (text: string) => / status of 40[0-9] /.test(text),
  };
}

/** The way of +14155552671 until it is approved. */
function requestedNumber({ look, say }: DashboardApp) {
  const shot = (name: string) => `numbers-${name}-${look.language}-${look.theme}-${look.onPhone ? "phone" : "wide"}`;
  /** The name of the operator's button that acts on it. */
  const named = (action: string) => `${action}${say(": ", "：")}+14155552671${say(", ", "，")}Shop`;
  return {
    ...{ shot, named },
    /** From the empty list: an emergency number is refused, then one of the merchant's numbers is accepted. */
    async askForNumber(page: Page): Promise<void> {
      const dialog = page.getByRole("dialog");
      const request = say("Request a number", "申请号码");
      await page.locator(".empty").waitFor();
      await screenshot(page, shot("empty"));
      await page.locator(".empty").getByRole("button", { name: request }).click();
      const value = dialog.getByLabel(say("Number or name", "号码或名称"));
      await value.fill("911");
      await dialog.getByRole("button", { name: request }).click();
      await dialog.locator("[aria-invalid=true]").waitFor();
      await screenshot(page, shot("refused"));
      await expectAccessible(page);
      await value.fill("+14155552671");
      await dialog
        .getByLabel(say("What you'll send, and why you may use this number", "发送内容，以及您为何有权使用此号码"))
        .fill("Order updates");
      await screenshot(page, shot("request"));
      await dialog.getByRole("button", { name: request }).click();
      await page.getByText(say("Pending approval", "待审核")).waitFor();
    },
    /** The operator approves it, but not for calls; no other number may wait. */
    async approveNarrowed(page: Page): Promise<void> {
      await page.getByRole("button", { name: named(say("Approve", "批准")) }).click();
      const decision = page.getByRole("dialog");
      await decision.getByText("Order updates").waitFor();
      await decision.getByLabel(say("Calls", "通话")).uncheck();
      await screenshot(page, shot("approve"));
      await expectAccessible(page);
      await decision.getByRole("button", { name: say("Approve", "批准"), exact: true }).click();
      await page.getByText(say("No pending requests", "没有待审核的申请")).waitFor();
    },
  };
}
