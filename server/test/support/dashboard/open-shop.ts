import type { TestTenant } from "../app/test-app.ts";
import { visitor } from "../people/visitors.ts";
import { openDashboard } from "./dashboard.ts";
import type { DashboardApp } from "./dashboard-app.ts";

/** A new shop, opened in the dashboard by a person with the role. `goto` takes a path within the dashboard. */
export async function openShop(given: DashboardApp, role: "owner" | "viewer" = "owner") {
  const { app, browser, origin, look } = given;
  const tenant: TestTenant = await app.tenant();
  const person = await visitor(app, { merchant_id: tenant.merchant_id, role });
  const { page, complaints } = await openDashboard(browser, { origin, look, email: person.email });
  const goto = async (path: string) => void (await page.goto(`${origin}/dashboard${path}`));
  return { tenant, page, complaints, goto };
}
