import { changeMerchant, type Role } from "#identity/index.ts";
import type { TestTenant } from "#test/support/app/test-app.ts";
import { openDashboard } from "#test/support/dashboard/dashboard.ts";
import type { DashboardApp } from "#test/support/dashboard/dashboard-app.ts";
import { visitor } from "#test/support/people/visitors.ts";

/** People who read and set limits in LIVE. */
export function limitsDesk({ app, browser, look, origin }: DashboardApp) {
  /** A person's browser in LIVE: `goto` opens a page of their project. */
  async function open({ email, project_id }: { email: string; project_id: string }) {
    const opened = await openDashboard(browser, { origin, look, email });
    const { page } = opened;
    const goto = async (path: string) => {
      await page.goto(`${origin}/dashboard/${project_id}/live${path}`);
      await page.locator("main h1").waitFor();
      await page.locator(".skeletons").first().waitFor({ state: "detached" });
    };
    return {
      ...opened,
      goto,
      dialog: page.getByRole("dialog"),
      press: (name: string) => page.getByRole("button", { name, exact: true }).click(),
    };
  }

  async function shopIn(country: string): Promise<TestTenant> {
    const shop = await app.tenant({ livemode: true });
    await changeMerchant(app.ctx, { merchant_id: shop.merchant_id, if_version: null, country });
    return shop;
  }

  return {
    open,
    shopIn,
    person: async ({ merchant_id, project_id }: TestTenant, role: Role, is_operator = false) => ({
      ...(await visitor(app, { merchant_id, role, is_operator })),
      project_id,
    }),
    shot: (name: string) => `limits-${name}-${look.language}-${look.theme}-${look.onPhone ? "phone" : "wide"}`,
    /** The browser's own complaints about refused requests, which the page explains in words. */
    refused: (text: string) => / status of 40[0-9] /.test(text),
  };
}
