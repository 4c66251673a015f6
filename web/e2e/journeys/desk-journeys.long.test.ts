import { expect, test } from "vitest";
import { expectAccessible } from "../../../server/test/support/browser/browser.ts";
import { openDashboard } from "../../../server/test/support/dashboard/dashboard.ts";
import { dashboardApp } from "../../../server/test/support/dashboard/dashboard-app.ts";
import { mailRoom } from "../../../server/test/support/mail/mail.ts";
import { localEgress } from "../../../server/test/support/network/certificate.ts";
import { receiver } from "../../../server/test/support/network/receiver.ts";
import { visitor } from "../../../server/test/support/people/visitors.ts";

const { app, browser, look, say, origin } = await dashboardApp({ egress: await localEgress() });
const receiving = await receiver();
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

test(
  "a developer registers a webhook, sees its secret once, and rolls it",
  async () => {
    const tenant = await app.tenant();
    const person = await visitor(app, { merchant_id: tenant.merchant_id, role: "developer" });
    const { page, complaints } = await openDashboard(browser, { origin, look, email: person.email });
    await page.goto(`${origin}/dashboard/webhooks?new=1`);
    await page.getByLabel(say("Endpoint", "地址")).fill(`${receiving.url}/hooks`);
    await page.getByRole("button", { name: say("Create", "新建"), exact: true }).click();
    const shown = page.getByRole("dialog", { name: say("Signing secret", "签名密钥") });
    const secret = shown.locator("code");
    const first = await secret.textContent();
    await shown.getByRole("button", { name: say("Close", "关闭"), exact: true }).click();
    await page.locator(".row-link").click();
    await page.getByRole("heading", { level: 1, name: "127.0.0.1" }).waitFor();
    await page.getByRole("button", { name: say("Actions", "操作"), exact: true }).click();
    await page.getByRole("menuitem", { name: say("Roll secret", "更换密钥") }).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: say("Roll secret", "更换密钥"), exact: true })
      .click();
    await secret.waitFor();
    expect(await secret.textContent()).not.toBe(first);
    await shown.getByRole("button", { name: say("Close", "关闭"), exact: true }).click();
    await page.getByText(say("Next secret", "新密钥"), { exact: true }).waitFor();
    await expectAccessible(page);
    expect(complaints).toEqual([]);
  },
  timeLimit,
);

test(
  "an operator verifies a merchant, whose LIVE orders work from then on",
  async () => {
    const tenant = await app.tenant({ livemode: true, verified: false });
    const own = await app.tenant();
    const person = await visitor(app, { merchant_id: own.merchant_id, role: "owner", is_operator: true });
    const orders = `/api/v1/projects/${tenant.project_id}/orders`;
    const order = { amount_minor: 100, currency: "CNY" };
    expect((await app.api(tenant.key).post(orders, order)).body.error.code).toBe("merchant_not_verified");
    const { page, complaints } = await openDashboard(browser, { origin, look, email: person.email });
    await page.goto(`${origin}/dashboard/operator/merchants?status=pending`);
    await page.getByRole("button", { name: say("Verify: Corner Books", "通过审核：Corner Books") }).click();
    await page.locator(".empty").waitFor();
    expect((await app.api(tenant.key).post(orders, order)).status).toBe(201);
    await expectAccessible(page);
    expect(complaints).toEqual([]);
  },
  timeLimit,
);
