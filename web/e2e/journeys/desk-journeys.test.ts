import { describe, expect, test } from "vitest";
import { expectAccessible } from "../../../server/test/support/browser/browser.ts";
import { openDashboard } from "../../../server/test/support/dashboard/dashboard.ts";
import { dashboardApp } from "../../../server/test/support/dashboard/dashboard-app.ts";
import { mailRoom } from "../../../server/test/support/mail/mail.ts";
import { visitor } from "../../../server/test/support/people/visitors.ts";

const { app, browser, look, origin } = await dashboardApp();

/** What an email must not be able to do to its reader: run, fetch, or lead away. */
const hostile = [
  '<style>@import "https://evil.example/a.css"; h1 { background: url(https://evil.example/b.png) }</style>',
  '<h1 style="color: rgb(200, 0, 0); background: url(/v1/emails)" onclick="alert(1)">Your order</h1>',
  '<script>parent.document.title = "taken"</script><img src="https://evil.example/c.png" onerror="alert(2)">',
  '<a href="javascript:alert(3)">See it</a><iframe src="/dashboard"></iframe><meta http-equiv="refresh" content="0; url=https://evil.example">',
].join("");

describe(`in ${look.language} and ${look.theme}`, () => {
  test("the preview of a hostile message keeps its colors, fetches nothing, runs nothing and leaves the console quiet", async () => {
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
  });
});
