import type { Page } from "playwright-core";
import { openDashboard } from "#test/support/dashboard/dashboard.ts";
import type { DashboardApp } from "#test/support/dashboard/dashboard-app.ts";

/** People who come by links of this server, and what they do on its pages. */
export function arrivals({ app, browser, look, origin, say }: DashboardApp) {
  return {
    /** A browser session that finds the configured URL where this test's server listens; buyers' pages follow its language. */
    async arrive(options: { onPhone?: boolean; email?: string } = {}) {
      const opened = await openDashboard(browser, { origin, look, ...options });
      const context = opened.page.context();
      const { publicUrl } = app.ctx;
      await context.setExtraHTTPHeaders({ "accept-language": look.language });
      await context.route(`${publicUrl}/**`, (route) =>
        route.fulfill({ status: 302, headers: { location: route.request().url().replace(publicUrl, origin) } }),
      );
      return opened;
    },
    press: (page: Page, en: string, zh: string) => page.getByRole("button", { name: say(en, zh), exact: true }).click(),
    title: (page: Page, text: string) => page.getByRole("heading", { level: 1, name: text }).waitFor(),
    filled: (page: Page, label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text),
    stateOf: (page: Page, en: string, zh: string) => page.locator(".page-title .badge", { hasText: say(en, zh) }),
  };
}
