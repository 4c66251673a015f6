import { expect, test } from "vitest";
import type { TestTenant } from "../../../server/test/support/app/test-app.ts";
import { expectAccessible, screenshot } from "../../../server/test/support/browser/browser.ts";
import { dashboardApp } from "../../../server/test/support/dashboard/dashboard-app.ts";
import { openShop } from "../../../server/test/support/dashboard/open-shop.ts";
import { testCode, verificationRoom } from "../../../server/test/support/messages/verifications.ts";

const dashboard = await dashboardApp();
const { app, look, say } = dashboard;
const room = verificationRoom(app.ctx);
const timeLimit = 120_000;
const recipient = "+15005551000";
const view = `${look.language}-${look.theme}-${look.onPhone ? "phone" : "wide"}`;

async function request({ key }: TestTenant, path: string, body: object): Promise<{ id: string; status: string }> {
  const { status, body: found, text } = await app.api(key).post(`/v1/verifications${path}`, body);
  if (status >= 300) throw new Error(text);
  return found;
}

test(
  "a verification is followed from its first code through a call to its approval, without ever showing the code",
  async () => {
    const { tenant, page, complaints, goto } = await openShop(dashboard);
    await goto("/verifications");
    await page.getByText(say("No verifications yet", "还没有验证")).waitFor();
    await page.getByText(say("No verifications have ended yet.", "还没有已结束的验证。")).waitFor();
    expect(await page.locator("main pre").textContent()).toContain("/v1/verifications");
    await expectAccessible(page);
    await screenshot(page, `verifications-empty-${view}`);

    const { id } = await request(tenant, "", { to: recipient, channels: ["sms", "call"] });
    await room.processDue();
    await request(tenant, `/${id}/resend`, { channel: "call" });
    await room.processDue();
    await goto("/verifications");
    await page.locator(".rows").getByText(recipient).click();
    await page.getByRole("heading", { level: 1, name: recipient }).waitFor();
    const moments = page.locator(".moments").first();
    await moments.getByText(say("Code resent", "已重新发送验证码")).waitFor();
    expect(await moments.textContent()).toContain(say("Code sent", "已发送验证码"));

    await request(tenant, `/${id}/check`, { code: "000000" });
    expect((await request(tenant, `/${id}/check`, { code: testCode })).status).toBe("approved");
    await page.reload();
    await moments.getByText(say("Approved", "已通过")).waitFor();
    expect(await page.locator("main").textContent()).not.toContain(testCode);
    await expectAccessible(page);
    await screenshot(page, `verification-approved-${view}`);
    expect(complaints).toEqual([]);
  },
  timeLimit,
);
