import { openDashboard } from "#test/support/dashboard/dashboard.ts";
import type { DashboardApp } from "#test/support/dashboard/dashboard-app.ts";
import { visitor } from "#test/support/people/visitors.ts";

/** A merchant who wants numbers, and an operator who decides about them. */
export function numbersDesk({ app, browser, look, origin }: DashboardApp) {
  return {
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
    shot: (name: string) => `numbers-${name}-${look.language}-${look.theme}-${look.onPhone ? "phone" : "wide"}`,
    /** The browser's own complaints about refused requests, which the page explains in words. */
    refused: (text: string) => / status of 40[0-9] /.test(text),
  };
}
