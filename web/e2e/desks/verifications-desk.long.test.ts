import { expect, test } from "vitest";
import { expectAccessible } from "../../../server/test/support/browser/browser.ts";
import { dashboardApp } from "../../../server/test/support/dashboard/dashboard-app.ts";
import { openShop } from "../../../server/test/support/dashboard/open-shop.ts";
import { verificationsDesk } from "../../../server/test/support/desks/verifications-desk.ts";
import { smsRoom } from "../../../server/test/support/messages/sms.ts";
import { testCode } from "../../../server/test/support/messages/verifications.ts";

const dashboard = await dashboardApp();
const { app, say } = dashboard;
const { recipient, request, processDue, shot } = verificationsDesk(dashboard);
const timeLimit = 120_000;

test(
  "a verification is followed from its first code through a call to its approval, without ever showing the code",
  async () => {
    const { tenant, page, complaints, goto } = await openShop(dashboard);
    await goto("/verifications");
    await page.getByText(say("No verifications yet", "还没有验证")).waitFor();
    await page.getByText(say("No verifications have ended yet.", "还没有已结束的验证。")).waitFor();
    expect(await page.locator("main pre").textContent()).toContain("/v1/verifications");
    await expectAccessible(page);
    await shot(page, "verifications-empty");

    const { id } = await request(tenant, "", { to: recipient, channels: ["sms", "call"] });
    await processDue();
    await smsRoom(app.ctx).settle();
    await request(tenant, `/${id}/resend`, { channel: "call" });
    await processDue();
    await goto("/verifications");
    const search = page.getByRole("searchbox");
    await search.fill("+15005559999");
    await page.getByText(say("No results match these filters", "没有符合筛选条件的内容")).waitFor();
    await search.fill(`${recipient.slice(1, 5)} ${recipient.slice(5)}`);
    await page.locator(".rows").getByText(recipient).click();
    await page.getByRole("heading", { level: 1, name: recipient }).waitFor();
    const moments = page.locator(".moments").first();
    await moments.getByText(say("Code resent", "已重新发送验证码")).waitFor();
    // With what became of the message, as its own page says it.
    await moments.locator(".badge", { hasText: say("Sent", "已发出") }).waitFor();
    expect(await moments.textContent()).toContain(say("Code sent", "已发送验证码"));

    await request(tenant, `/${id}/check`, { code: "000000" });
    expect((await request(tenant, `/${id}/check`, { code: testCode })).status).toBe("approved");
    await page.reload();
    await moments.getByText(say("Approved", "已通过")).waitFor();
    // Approved before the call was placed.
    await moments.getByText(say("Code not sent", "验证码未发出")).waitFor();
    expect(await page.locator("main").textContent()).not.toContain(testCode);
    await expectAccessible(page);
    await shot(page, "verification-approved");
    expect(complaints).toEqual([]);
  },
  timeLimit,
);
