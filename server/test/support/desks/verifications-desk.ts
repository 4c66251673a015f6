import type { TestTenant } from "#test/support/app/test-app.ts";
import { screenshot } from "#test/support/browser/browser.ts";
import type { DashboardApp } from "#test/support/dashboard/dashboard-app.ts";
import { verificationRoom } from "#test/support/messages/verifications.ts";

/** A merchant's server that requests verifications, next to their page in the dashboard. */
export function verificationsDesk({ app, look }: DashboardApp) {
  const view = `${look.language}-${look.theme}-${look.onPhone ? "phone" : "wide"}`;
  return {
    /** The simulator's number that receives everything. */
    recipient: "+15005551000",
    processDue: verificationRoom(app.ctx).processDue,
    async request({ key }: TestTenant, path: string, body: object): Promise<{ id: string; status: string }> {
      const { status, body: found, text } = await app.api(key).post(`/v1/verifications${path}`, body);
      if (status >= 300) throw new Error(text);
      return found;
    },
    shot: (page: Parameters<typeof screenshot>[0], name: string) => screenshot(page, `${name}-${view}`),
  };
}
