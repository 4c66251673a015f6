import { expect, test } from "vitest";
import type { TestTenant } from "../../../server/test/support/app/test-app.ts";
import { expectAccessible } from "../../../server/test/support/browser/browser.ts";
import { dashboardApp } from "../../../server/test/support/dashboard/dashboard-app.ts";
import { openShop } from "../../../server/test/support/dashboard/open-shop.ts";
import { callRoom } from "../../../server/test/support/messages/calls.ts";

const dashboard = await dashboardApp();
const { app, say } = dashboard;
const room = callRoom(app);
const timeLimit = 120_000;

/** Runs a call to its end. */
async function happen(tenant: TestTenant, given: Parameters<typeof room.place>[1]) {
  const call = await room.place(tenant, given);
  while ((await room.find(call)).state !== "done") await room.settle();
  return call;
}

test(
  "a call reads from top to bottom as it was heard: what was said, which keys were pressed, and who hung up; the list finds it by state",
  async () => {
    const { tenant, page, complaints, goto } = await openShop(dashboard);
    const pin = { verb: "gather", name: "pin", num_digits: 4, actions: [{ verb: "say", text: "Your PIN, please." }] };
    await happen(tenant, { to: "+15005552000", actions: [pin, { verb: "say", text: "Thank you." }], metadata: { order: "INV-1" } });
    await happen(tenant, { to: "+15005552001" });
    await goto("/calls?status=busy");
    await expect.poll(() => page.locator(".rows tbody tr").allTextContents()).toEqual([expect.stringContaining("+15005552001")]);
    await goto("/calls");
    await page.getByRole("link", { name: "+15005552000" }).click();
    const moments = page.locator(".moments > li");
    await expect.poll(() => moments.count()).toBe(8);
    const texts = await moments.allTextContents();
    const inOrder = [
      say("Queued", "已受理"),
      say("Dialed", "已拨号"),
      say("Ringing", "振铃"),
      say("Answered", "已接听"),
      "Your PIN, please.",
      "1234",
      "Thank you.",
      say("Hung up after the last step", "脚本执行完毕后挂断"),
    ];
    for (const [index, text] of inOrder.entries()) expect(texts[index]).toContain(text);
    expect(await page.getByRole("region", { name: say("Metadata", "元数据") }).textContent()).toContain("INV-1");
    await expectAccessible(page);
    await page.getByRole("button", { name: say("Delete text and keys", "删除内容和按键") }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: say("Delete text and keys", "删除内容和按键") }).click();
    // The steps are gone; what the network reported stays, and that keys were pressed.
    await expect.poll(() => moments.count()).toBe(6);
    expect((await moments.allTextContents()).join()).toContain(say("Keys pressed", "收到按键"));
    const shown = await page.locator("main").textContent();
    for (const gone of ["Your PIN", "Thank you"]) expect(shown).not.toContain(gone);
    expect(await page.locator(".call-keys").count()).toBe(0);
    await expect.poll(() => page.getByRole("button", { name: say("Delete text and keys", "删除内容和按键") }).count()).toBe(0);
    expect(complaints).toEqual([]);
  },
  timeLimit,
);

test(
  "a call that speaks a text is placed by hand, after a wrong number was explained next to its field",
  async () => {
    const { tenant, page, complaints, goto } = await openShop(dashboard);
    await goto("/calls");
    await page.getByRole("button", { name: say("Place call", "拨打电话") }).click();
    const dialog = page.getByRole("dialog");
    const to = dialog.getByLabel(say("To", "被叫"), { exact: true });
    await to.fill("911");
    await dialog.getByLabel(say("Text to speak", "播报内容")).fill("Your order is ready.");
    await dialog.getByRole("button", { name: say("Place call", "拨打电话") }).click();
    await dialog.locator("[aria-invalid=true]").waitFor();
    await expectAccessible(page);
    await to.fill("+15005552000");
    await dialog.getByRole("button", { name: say("Place call", "拨打电话") }).click();
    await page.getByRole("heading", { level: 1, name: say("Call to +15005552000", "拨给 +15005552000 的电话") }).waitFor();
    const { data } = (await app.api(tenant.key).get("/v1/calls")).body;
    expect(data).toMatchObject([{ to: "+15005552000", from: "+15005550006", text: "Your order is ready." }]);
    expect(complaints.filter((text) => !/ status of 400 /.test(text))).toEqual([]);
  },
  timeLimit,
);
