import { getCountries } from "libphonenumber-js/max";
import { expect, test } from "vitest";
import { expectAccessible, screenshot } from "../../../server/test/support/browser/browser.ts";
import { dashboardApp } from "../../../server/test/support/dashboard/dashboard-app.ts";
import { limitsDesk } from "../../../server/test/support/desks/limits-desk.ts";
import { countryCodes } from "../../dashboard/src/data/countries.ts";

const dashboard = await dashboardApp();
const { app, say } = dashboard;
const { open, shopIn, person, shot, refused } = limitsDesk(dashboard);
const timeLimit = 240_000;

test("the offered countries are those that have telephone numbers", () => {
  expect(countryCodes.toSorted()).toEqual(getCountries().toSorted());
});

test(
  "limits show each fault next to its field and keep what was typed; another person's change is shown, not overwritten",
  async () => {
    const shop = await shopIn("US");
    const operator = await person(await app.tenant(), "owner", true);
    const policy = { allowed_countries: null, denied_countries: ["GB"], denied_prefixes: [], opened_prefixes: [] };
    expect((await operator.api.put("/api/admin/messaging-policy", policy)).status).toBe(200);
    const owner = await person(shop, "owner");
    const limits = `/api/v1/projects/${shop.project_id}/messaging-limits`;
    const { page, goto, press, complaints } = await open(owner);
    await goto("/limits");
    await screenshot(page, shot("fresh"));
    await expectAccessible(page);
    const countries = page.getByRole("combobox", { name: say("Allowed countries", "允许的国家/地区") });
    for (const name of [say("United Kingdom", "英国"), say("Canada", "加拿大")]) {
      await countries.fill(name);
      await page.getByRole("option", { name, exact: true }).click();
    }
    const calls = page.getByLabel(say("Simultaneous calls", "同时通话数"));
    await calls.fill("3");
    await page.locator(".quiet-hours input").first().fill("08:00");
    const save = say("Save limits", "保存限制");
    await press(save);
    await page.locator(".mantine-MultiSelect-error", { hasText: "GB" }).waitFor();
    await page.locator(".quiet-fault", { hasText: "14" }).waitFor();
    expect(await calls.inputValue()).toBe("3");
    await screenshot(page, shot("faults"));
    await expectAccessible(page);
    await countries.press("Backspace");
    await countries.press("Backspace");
    await countries.fill(say("Canada", "加拿大"));
    await page.getByRole("option", { name: say("Canada", "加拿大") }).click();
    await page.locator(".quiet-hours input").first().fill("22:00");
    await press(save);
    await page.getByText(say("Reachable now: Canada", "目前可以发往：加拿大")).waitFor();
    const saved = { countries: ["CA"], caps: { calls_at_once: 3 }, quiet_hours: { marketing: { from: "22:00", to: "08:00" } } };
    expect((await owner.api.get(limits)).body).toMatchObject(saved);

    await calls.fill("4");
    expect((await owner.api.call("PATCH", limits, { body: { caps: { calls_at_once: 2 } } })).status).toBe(200);
    await press(save);
    await expect.poll(() => calls.inputValue(), { timeout: 60_000 }).toBe("2");
    expect((await owner.api.get(limits)).body).toMatchObject({ caps: { calls_at_once: 2 } });
    expect(complaints.filter((text) => !refused(text))).toEqual([]);
  },
  timeLimit,
);
