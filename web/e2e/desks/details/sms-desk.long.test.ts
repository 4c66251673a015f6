import { expect, test } from "vitest";
import type { TestTenant } from "../../../../server/test/support/app/test-app.ts";
import { expectAccessible, screenshot } from "../../../../server/test/support/browser/browser.ts";
import { dashboardApp } from "../../../../server/test/support/dashboard/dashboard-app.ts";
import { rescheduleByADay } from "../../../../server/test/support/dashboard/dashboard-reschedule.ts";
import { openShop } from "../../../../server/test/support/dashboard/open-shop.ts";
import { smsRoom } from "../../../../server/test/support/messages/sms.ts";

const dashboard = await dashboardApp();
const { app, look, say } = dashboard;
const room = smsRoom(app.ctx);
const timeLimit = 120_000;
const contact = "+15005551000";

const writes = (shop: TestTenant, body: string) => app.api(shop.key).post("/v1/test/inbound", { sms: { from: contact, body } });

test(
  "a conversation shows both sides, is replied to, and says that its contact has opted out",
  async () => {
    const { tenant, page, complaints, goto } = await openShop(dashboard);
    await writes(tenant, "Is my order ready?");
    await goto("/sms/threads");
    await page.getByText("Is my order ready?").waitFor();
    await page.getByRole("link", { name: contact }).click();
    const bubbles = page.locator(".bubble");
    await bubbles.first().waitFor();
    await page.getByRole("textbox", { name: say("Reply", "回复") }).fill("Yes, since noon.");
    const send = page.getByRole("button", { name: say("Send", "发送"), exact: true });
    await send.click();
    await expect.poll(() => bubbles.count()).toBe(2);
    expect(await bubbles.nth(1).getAttribute("data-ours")).toBe("true");
    await page.getByRole("textbox", { name: say("Reply", "回复") }).fill("STOP");
    await page.getByRole("button", { name: say("Simulate reply", "模拟对方回复") }).click();
    await page.locator(".talk-event").waitFor();
    await page.getByText(say("Asked to opt out", "要求退订")).waitFor();
    // In TEST the contact can still be simulated; there is nothing to write to them with.
    await page.getByRole("textbox", { name: say("Reply as the contact, for example START", "以对方身份回复，例如 START") }).waitFor();
    expect(await send.count()).toBe(0);
    await expectAccessible(page);
    await screenshot(page, `sms-conversation-${look.language}-${look.theme}-${look.onPhone ? "phone" : "wide"}`);
    await page.getByRole("link", { name: say("View suppressions", "查看屏蔽名单") }).click();
    await page.getByText(say(`${contact} · SMS from +`, `${contact} · 来自 +`)).waitFor();
    await page.locator(".badge", { hasText: say("Opted out", "已退订") }).waitFor();
    await goto("/sms/threads");
    await page.getByText(say("Automatic reply: You have been", "自动回复：You have been")).waitFor();
    await page.getByRole("button", { name: say("Send SMS", "发送短信") }).click();
    await page.getByRole("dialog").waitFor();
    expect(complaints).toEqual([]);
  },
  timeLimit,
);

test(
  "the list finds messages by direction, number and state",
  async () => {
    const { tenant, page, complaints, goto } = await openShop(dashboard);
    await room.send(tenant, { to: contact });
    await room.settle();
    app.clock.advance(60_000);
    await room.settle();
    await writes(tenant, "Hello");
    const rows = page.locator(".rows tbody tr");
    await goto("/sms?direction=inbound");
    await expect.poll(() => rows.allTextContents()).toEqual([expect.stringContaining("Hello")]);
    await goto("/sms?status=delivered&q=%2B150055510");
    await expect.poll(() => rows.count()).toBe(1);
    await goto("/sms?q=%2B4915");
    await page.getByText(say("No results match these filters", "没有符合筛选条件的内容")).waitFor();
    expect(complaints).toEqual([]);
  },
  timeLimit,
);

test(
  "a waiting message is moved by a day, then canceled",
  async () => {
    const { tenant, page, complaints, goto } = await openShop(dashboard);
    const at = Math.ceil(app.clock.now().getTime() / 60_000) * 60_000 + 3_600_000;
    const sms = await room.send(tenant, { to: contact, scheduled_at: new Date(at).toISOString() });
    const found = async () => (await app.api(tenant.key).get(`/v1/sms/${sms.id}`)).body;
    await goto("/sms");
    await page.locator(`.rows td[data-phone=state] time[datetime="${new Date(at).toISOString()}"]`).waitFor();
    await goto(`/sms/${sms.id}`);
    await rescheduleByADay(page, say);
    await expect.poll(async () => (await found()).scheduled_at).toBe(new Date(at + 86_400_000).toISOString());
    await page.getByRole("button", { name: say("Cancel SMS", "取消短信") }).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: say("Cancel SMS", "取消短信") })
      .click();
    await expect.poll(async () => (await found()).status).toBe("canceled");
    await expect.poll(() => page.getByRole("button", { name: say("Reschedule", "更改时间") }).count()).toBe(0);
    expect(complaints).toEqual([]);
  },
  timeLimit,
);

test(
  "a person who may only read sees messages and conversations, and nothing to send or delete",
  async () => {
    const { tenant, page, goto } = await openShop(dashboard, "viewer");
    const { id } = await room.send(tenant, { to: contact });
    await room.settle();
    await writes(tenant, "Hello");
    await goto(`/sms/${id}`);
    await page.locator(".sms-parts").waitFor();
    expect(await page.getByRole("button", { name: say("Delete text", "删除内容") }).count()).toBe(0);
    await goto(`/sms/threads/${encodeURIComponent(contact)}/${encodeURIComponent("+15005550006")}`);
    await page.locator(".bubble").first().waitFor();
    expect(await page.locator(".reply").count()).toBe(0);
    await goto("/sms");
    await page.locator(".rows").waitFor();
    expect(await page.getByRole("button", { name: say("Send SMS", "发送短信") }).count()).toBe(0);
  },
  timeLimit,
);
