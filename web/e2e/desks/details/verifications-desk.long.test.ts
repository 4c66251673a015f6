import { expect, test } from "vitest";
import { expectAccessible } from "../../../../server/test/support/browser/browser.ts";
import { dashboardApp } from "../../../../server/test/support/dashboard/dashboard-app.ts";
import { openShop } from "../../../../server/test/support/dashboard/open-shop.ts";
import { verificationsDesk } from "../../../../server/test/support/desks/verifications-desk.ts";
import { testCode } from "../../../../server/test/support/messages/verifications.ts";

const dashboard = await dashboardApp();
const { say } = dashboard;
const { recipient, request, processDue, shot } = verificationsDesk(dashboard);
const timeLimit = 120_000;

test(
  "the list finds verifications by result and channel, and the approval rate counts those that ended",
  async () => {
    const { tenant, page, complaints, goto } = await openShop(dashboard);
    const first = await request(tenant, "", { to: recipient, channels: ["sms"] });
    await request(tenant, `/${first.id}/check`, { code: testCode });
    const second = await request(tenant, "", { to: "ada@corner-readers.com", channels: ["email"] });
    await request(tenant, `/${second.id}/cancel`, {});
    const third = await request(tenant, "", { to: recipient, channels: ["sms"] });
    for (let left = 5; left > 0; left -= 1) await request(tenant, `/${third.id}/check`, { code: "000000" });
    await processDue();

    const rows = page.locator(".rows tbody tr");
    await goto("/verifications");
    await expect.poll(() => rows.count()).toBe(3);
    const rate = page.locator(".conversion");
    await rate.getByText(say("1 of 2", "1 / 2")).waitFor();
    expect(await rate.textContent()).toContain("50%");
    await expectAccessible(page);
    await shot(page, "verifications-list");

    await goto("/verifications?status=failed");
    await expect.poll(() => rows.allTextContents()).toEqual([expect.stringContaining(recipient)]);
    await goto("/verifications?channel=email");
    await expect.poll(() => rows.allTextContents()).toEqual([expect.stringContaining("ada@corner-readers.com")]);
    await goto("/verifications?status=expired");
    await page.getByText(say("No results match these filters", "没有符合筛选条件的内容")).waitFor();
    // Approved before the message had left.
    await goto(`/verifications/${first.id}`);
    await page.getByText(say("Code not sent", "验证码未发出")).waitFor();
    expect(await page.getByText(say("Code sent", "已发送验证码")).count()).toBe(0);
    expect(complaints).toEqual([]);
  },
  timeLimit,
);

test(
  "a viewer sees verifications and nothing to change, and an unknown one is not found",
  async () => {
    const { tenant, page, goto } = await openShop(dashboard, "viewer");
    const { id } = await request(tenant, "", { to: recipient, channels: ["sms"] });
    await goto(`/verifications/${id}`);
    await page.getByRole("heading", { level: 1, name: recipient }).waitFor();
    expect(await page.locator("main form, main input").count()).toBe(0);
    await goto("/verifications/ver_00000000000000000000000000");
    await page.getByText(say("Not found", "找不到内容")).first().waitFor();
    expect(await page.getByRole("button", { name: say("Try again", "重试") }).count()).toBe(0);
  },
  timeLimit,
);
