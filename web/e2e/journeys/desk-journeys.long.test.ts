import { expect, test } from "vitest";
import { expectAccessible } from "../../../server/test/support/browser/browser.ts";
import { openDashboard } from "../../../server/test/support/dashboard/dashboard.ts";
import { dashboardApp } from "../../../server/test/support/dashboard/dashboard-app.ts";
import { mailRoom } from "../../../server/test/support/mail/mail.ts";
import { visitor } from "../../../server/test/support/people/visitors.ts";

const { app, browser, look, say, origin } = await dashboardApp();
const timeLimit = 120_000;

test(
  "an operator suspends a merchant's LIVE sending, whose people see why and what waits without a reload, and lifts it again",
  async () => {
    const shop = await app.tenant({ livemode: true });
    const own = await app.tenant();
    const seller = await visitor(app, { merchant_id: shop.merchant_id, role: "owner" });
    const person = await visitor(app, { merchant_id: own.merchant_id, role: "owner", is_operator: true });
    await mailRoom(app.ctx).send(shop, { subject: "Your order" });
    const theirs = await openDashboard(browser, { origin, look, onPhone: true, email: seller.email });
    await theirs.page.goto(`${origin}/dashboard/messages`);
    await theirs.page.waitForURL("**/test/messages");
    await theirs.page.goto(theirs.page.url().replace("/test/", "/live/"));
    await theirs.page.locator(".row-link").waitFor();
    const ours = await openDashboard(browser, { origin, look, email: person.email });
    await ours.page.goto(`${origin}/dashboard/operator/merchants/${shop.merchant_id}`);
    const [suspend, resume] = [say("Suspend LIVE sending", "暂停发送"), say("Resume LIVE sending", "恢复发送")];
    const dialog = ours.page.getByRole("dialog");
    await ours.page.getByRole("button", { name: suspend }).click();
    await dialog.getByLabel(say("Reason", "原因")).fill("Too many complaints");
    await dialog.getByRole("button", { name: suspend }).click();
    await ours.page.getByRole("button", { name: resume }).waitFor();
    await expectAccessible(ours.page);
    const note = theirs.page.locator(".note", { hasText: "Too many complaints" });
    await note.waitFor();
    expect(await note.textContent()).toContain("Too many complaints");
    expect(await note.textContent()).toContain(say("1 message is on hold", "1 条消息暂缓发送"));
    await expectAccessible(theirs.page);
    await ours.page.getByRole("button", { name: resume }).click();
    await dialog.getByRole("button", { name: resume }).click();
    await ours.page.getByRole("button", { name: suspend }).waitFor();
    await theirs.page.reload();
    await theirs.page.locator(".row-link").waitFor();
    await note.waitFor({ state: "detached" });
    expect([...theirs.complaints, ...ours.complaints]).toEqual([]);
  },
  timeLimit,
);
