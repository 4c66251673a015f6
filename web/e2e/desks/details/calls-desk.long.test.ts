import { expect, test } from "vitest";
import type { TestTenant } from "../../../../server/test/support/app/test-app.ts";
import { expectAccessible, screenshot } from "../../../../server/test/support/browser/browser.ts";
import { dashboardApp } from "../../../../server/test/support/dashboard/dashboard-app.ts";
import { rescheduleByADay } from "../../../../server/test/support/dashboard/dashboard-reschedule.ts";
import { openShop } from "../../../../server/test/support/dashboard/open-shop.ts";
import { callRoom } from "../../../../server/test/support/messages/calls.ts";

const dashboard = await dashboardApp();
const { app, look, say } = dashboard;
const room = callRoom(app);
const timeLimit = 120_000;

test(
  "a recording is drawn from its samples, played, paused and sought by keyboard, and deleted",
  async () => {
    const { tenant, page, complaints, goto } = await openShop(dashboard);
    const call = await room.place(tenant, { to: "+15005552000", record: "dual" });
    while ((await room.find(call)).state !== "done") await room.settle();
    await page.emulateMedia({ reducedMotion: "reduce" });
    await goto(`/calls/${call.id}`);
    const player = page.locator(".player");
    await player.getByRole("button", { name: say("Play", "播放") }).waitFor();
    await expect.poll(() => page.locator(".waveform").count()).toBe(2);
    // This side is silent in TEST, the callee is heard.
    const highest = `[...document.querySelectorAll(".waveform > svg path")].map((path) => path.getBBox().height)`;
    await expect.poll(async () => page.evaluate(highest)).toEqual([2, 40]);
    const slider = page.getByRole("slider");
    await slider.focus();
    await page.keyboard.press("End");
    expect(await slider.getAttribute("aria-valuetext")).toBe(say("0:01 of 0:01", "0:01 / 0:01"));
    await page.keyboard.press("Home");
    expect(await slider.inputValue()).toBe("0");
    await player.getByRole("button", { name: say("Play", "播放") }).click();
    await expect.poll(async () => Number(await slider.inputValue())).toBeGreaterThan(0.5);
    await player.getByRole("button", { name: say("Play", "播放") }).waitFor();
    await expectAccessible(page);
    await screenshot(page, `call-recording-${look.language}-${look.theme}-${look.onPhone ? "phone" : "wide"}`);
    await page.getByRole("button", { name: say("Delete recording", "删除录音") }).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: say("Delete recording", "删除录音") })
      .click();
    await player.waitFor({ state: "detached" });
    expect(complaints).toEqual([]);
  },
  timeLimit,
);

test(
  "a waiting call is moved by a day, then canceled",
  async () => {
    const { tenant, page, complaints, goto } = await openShop(dashboard);
    const at = Math.ceil(app.clock.now().getTime() / 60_000) * 60_000 + 3_600_000;
    const call = await room.place(tenant, { scheduled_at: new Date(at).toISOString() });
    await goto(`/calls/${call.id}`);
    await rescheduleByADay(page, say);
    await expect.poll(async () => (await room.find(call)).scheduled_at).toEqual(new Date(at + 86_400_000));
    const cancel = page.getByRole("button", { name: say("Cancel call", "取消通话") });
    await cancel.click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: say("Cancel call", "取消通话") })
      .click();
    await page.locator(".moments").getByText(say("Canceled", "已取消")).waitFor();
    await expect.poll(async () => (await room.find(call)).status).toBe("canceled");
    await expect.poll(() => cancel.count()).toBe(0);
    expect(await page.getByRole("button", { name: say("Reschedule", "更改时间") }).count()).toBe(0);
    expect(complaints).toEqual([]);
  },
  timeLimit,
);

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
