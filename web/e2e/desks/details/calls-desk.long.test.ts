import { expect, test } from "vitest";
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
