import { expect, test } from "vitest";
import { expectAccessible, screenshot } from "../../../../server/test/support/browser/browser.ts";
import { openDashboard } from "../../../../server/test/support/dashboard/dashboard.ts";
import { dashboardApp } from "../../../../server/test/support/dashboard/dashboard-app.ts";
import { fillTransports } from "../../../../server/test/support/dashboard/dashboard-transports.ts";
import { visitor } from "../../../../server/test/support/people/visitors.ts";

const { app, browser, look, say, origin } = await dashboardApp();

test("an operator sees how to connect a carrier, then which transport is down, since when and why", async () => {
  const { merchant_id } = await app.tenant();
  const operator = await visitor(app, { merchant_id, role: "owner", is_operator: true });
  const { page, complaints } = await openDashboard(browser, { origin, look, email: operator.email });
  const goto = async () => {
    await page.goto(`${origin}/dashboard/operator/transports`);
    await page.getByRole("heading", { level: 1, name: say("Transports", "发送通道") }).waitFor();
  };
  await goto();
  await page.getByText("docs/messaging/carriers.md").waitFor();
  await expectAccessible(page);
  const report = await fillTransports(app);
  await report();
  await goto();
  const card = page.locator(".way", { hasText: "smpp:backup-carrier-asia-pacific" });
  await card.getByText(say("Down", "不可用")).waitFor();
  await card.getByText("ECONNREFUSED: connect ECONNREFUSED 203.0.113.9:2775").waitFor();
  await card.getByText(say("The connection was refused.", "连接被拒绝。")).waitFor();
  await page.locator(".test-bar", { hasText: say("This page applies to LIVE", "此页内容属于正式环境") }).waitFor();
  expect(await page.locator(".way", { hasText: "smpp:main" }).locator(".minutes").textContent()).toContain("136");
  expect(await page.locator(".way").count()).toBe(5);
  await page.getByText("docs/messaging/carriers.md").waitFor({ state: "detached" });
  await expectAccessible(page);
  await screenshot(page, `transports-${look.language}-${look.theme}-${look.onPhone ? "phone" : "wide"}`);
  expect(complaints).toEqual([]);
}, 120_000);
