import { expect, test } from "vitest";
import { expectAccessible, screenshot } from "../../../server/test/support/browser/browser.ts";
import { dashboardApp } from "../../../server/test/support/dashboard/dashboard-app.ts";
import { openShop } from "../../../server/test/support/dashboard/open-shop.ts";
import { smsRoom } from "../../../server/test/support/messages/sms.ts";

const dashboard = await dashboardApp();
const { app, look, say } = dashboard;
const room = smsRoom(app.ctx);
const timeLimit = 120_000;
const contact = "+15005551000";

test(
  "a message is written with its parts shown, followed to each part's receipt, and its text deleted",
  async () => {
    const { page, complaints, goto } = await openShop(dashboard);
    await goto("/sms?new=1");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(say("To", "接收号码"), { exact: true }).fill(contact);
    await dialog.getByLabel(say("Message", "短信内容"), { exact: true }).fill(`${"a".repeat(80)}中`);
    await dialog.getByText(say("2 parts · UCS-2 · 81 of 134 used", "2 条 · UCS-2 · 已用 81 / 134")).waitFor();
    expect(await dialog.locator("mark").allTextContents()).toEqual(["中", "中"]);
    await expectAccessible(page);
    await screenshot(page, `sms-compose-${look.language}-${look.theme}-${look.onPhone ? "phone" : "wide"}`);
    await dialog.getByRole("button", { name: say("Send SMS", "发送短信") }).click();
    await page.getByRole("heading", { level: 1, name: say(`SMS to ${contact}`, `发给 ${contact} 的短信`) }).waitFor();
    await room.settle();
    app.clock.advance(60_000);
    await room.settle();
    await page.reload();
    const parts = page.locator(".sms-parts > li");
    await parts.nth(1).waitFor();
    expect(await parts.count()).toBe(2);
    expect(await parts.nth(0).textContent()).toContain("67");
    expect(await parts.nth(1).textContent()).toContain(say("Delivered", "已送达"));
    expect(await page.locator(".moments").first().textContent()).toContain(say("Sent to carrier", "已提交运营商"));
    await page.getByRole("button", { name: say("Delete text", "删除内容") }).click();
    await dialog.getByRole("button", { name: say("Delete text", "删除内容") }).click();
    await page.getByText(say("Text no longer stored", "内容已不再保存")).waitFor();
    expect(complaints).toEqual([]);
  },
  timeLimit,
);
