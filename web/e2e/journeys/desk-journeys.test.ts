import { describe, expect, test } from "vitest";
import { expectAccessible } from "../../../server/test/support/browser/browser.ts";
import { openDashboard } from "../../../server/test/support/dashboard/dashboard.ts";
import { dashboardApp } from "../../../server/test/support/dashboard/dashboard-app.ts";
import { mailRoom } from "../../../server/test/support/mail/mail.ts";
import { localEgress } from "../../../server/test/support/network/certificate.ts";
import { receiver } from "../../../server/test/support/network/receiver.ts";
import { visitor } from "../../../server/test/support/people/visitors.ts";

const { app, browser, look, say, origin } = await dashboardApp({ egress: await localEgress() });
const shop = await receiver();
const timeLimit = 120_000;

/** What an email must not be able to do to its reader: run, fetch, or lead away. */
const hostile = [
  '<style>@import "https://evil.example/a.css"; h1 { background: url(https://evil.example/b.png) }</style>',
  '<h1 style="color: rgb(200, 0, 0); background: url(/v1/emails)" onclick="alert(1)">Your order</h1>',
  '<script>parent.document.title = "taken"</script><img src="https://evil.example/c.png" onerror="alert(2)">',
  '<a href="javascript:alert(3)">See it</a><iframe src="/dashboard"></iframe><meta http-equiv="refresh" content="0; url=https://evil.example">',
].join("");

describe(`in ${look.language} and ${look.theme}`, () => {
  test(
    "the preview of a hostile message keeps its colors, fetches nothing, runs nothing and leaves the console quiet",
    async () => {
      const tenant = await app.tenant();
      const person = await visitor(app, { merchant_id: tenant.merchant_id, role: "developer" });
      const room = mailRoom(app.ctx);
      const { email } = await room.send(tenant, { subject: "Your order", html: hostile });
      await room.settle();
      const { page, complaints } = await openDashboard(browser, { origin, look, email: person.email });
      const requests: string[] = [];
      page.on("request", (request) => requests.push(request.url()));
      // Next to the list on a wide screen; a phone, which has no room for it there, goes to its page.
      await page.goto(`${origin}/dashboard/messages?mail=${email.id}`);
      await page.frameLocator(".mail-frame").locator("h1").waitFor();
      await page.goto(`${origin}/dashboard/messages/${email.id}`);
      await page.frameLocator(".mail-frame").locator("h1").waitFor();
      const frame = page.frames().find((one) => one !== page.mainFrame());
      // What it would fetch or where it would lead, it has tried by then.
      await frame?.waitForLoadState();
      expect(await frame?.evaluate('getComputedStyle(document.querySelector("h1")).color')).toBe("rgb(200, 0, 0)");
      await expectAccessible(page);
      expect(requests.filter((url) => url.includes("evil.example") || url.endsWith("/v1/emails"))).toEqual([]);
      expect(await page.title()).toContain("Your order");
      expect(complaints).toEqual([]);
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
      await page.getByLabel(say("Endpoint", "地址")).fill(`${shop.url}/hooks`);
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
});
