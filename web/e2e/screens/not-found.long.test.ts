import { expect, test } from "vitest";
import { openDashboard } from "../../../server/test/support/dashboard/dashboard.ts";
import { dashboardApp } from "../../../server/test/support/dashboard/dashboard-app.ts";
import { visitor } from "../../../server/test/support/people/visitors.ts";

const { app, browser, look, say, origin } = await dashboardApp();
const timeLimit = 120_000;

test(
  "what doesn't exist is not found, without a retry that couldn't help",
  async () => {
    const tenant = await app.tenant();
    const person = await visitor(app, { merchant_id: tenant.merchant_id, role: "owner", is_operator: true });
    const { page } = await openDashboard(browser, { origin, look, email: person.email });
    await page.goto(`${origin}/dashboard/orders/ord_00000000000000000000000000`);
    await page.getByRole("heading", { name: say("Not found", "找不到内容"), exact: true }).waitFor();
    const again = page.getByRole("button", { name: say("Try again", "重试") });
    expect(await again.count()).toBe(0);
    const endpoint = await app
      .api(tenant.key)
      .post(`/api/v1/projects/${tenant.project_id}/webhooks`, { url: "https://shop.example/hook", events: ["order.paid"] });
    const none = "00000000000000000000000000";
    // Missing objects in a dialog or next to a list are reported the same way.
    for (const path of [
      `/webhooks/we_${none}`,
      `/webhooks/${endpoint.body.id}?attempt=wat_${none}`,
      `/messages/em_${none}`,
      `/messages?mail=em_${none}`,
      `/sms/sms_${none}`,
      `/calls/call_${none}`,
      `/batches/bat_${none}`,
      `/operator/merchants/mer_${none}`,
      `/operator/merchants/mer_${none}/caps/prj_none`,
      `/operator/mails?mail=em_${none}`,
      `/review?order=ord_${none}`,
    ]) {
      await page.goto(`${origin}/dashboard${path}`);
      await page.getByRole("heading", { name: say("Not found", "找不到内容"), exact: true }).waitFor();
      expect(await again.count(), path).toBe(0);
    }
  },
  timeLimit,
);

test(
  "a page that the reader's role can't view says whom to ask, without a retry",
  async () => {
    const tenant = await app.tenant();
    const person = await visitor(app, { merchant_id: tenant.merchant_id, role: "owner" });
    const { page } = await openDashboard(browser, { origin, look, email: person.email });
    await page.goto(`${origin}/dashboard/operator/merchants`);
    await page.getByRole("heading", { name: say("You don't have access", "无权查看") }).waitFor();
    await page
      .getByText(say("Your role can't view this. Ask an owner or admin.", "您的角色无权查看此内容。请联系所有者或管理员。"))
      .waitFor();
    expect(await page.getByRole("button", { name: say("Try again", "重试") }).count()).toBe(0);
  },
  timeLimit,
);
