import { expect, test } from "vitest";
import { screenshot } from "../../../server/test/support/browser/browser.ts";
import { openDashboard } from "../../../server/test/support/dashboard/dashboard.ts";
import { dashboardApp } from "../../../server/test/support/dashboard/dashboard-app.ts";
import { payShop } from "../../../server/test/support/payments/pay-shop.ts";
import { visitor } from "../../../server/test/support/people/visitors.ts";

const { app, browser, look, origin } = await dashboardApp();

const heights = [320, 500, 600, 900, 1800];

test("at every height the rail and the phone's menu show the open page, and that more follows", async () => {
  const { tenant } = await payShop(app);
  const owner = await visitor(app, { merchant_id: tenant.merchant_id, role: "owner", is_operator: true });
  const { page } = await openDashboard(browser, { origin, look, email: owner.email });
  const seen = new Set<boolean>();
  for (const [width, path] of [
    [1440, "/operator/audit"],
    [1440, "/settings"],
    [390, "/operator/audit"],
    [390, "/"],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`${origin}/dashboard${path}`);
    await page.getByRole("heading", { level: 1 }).first().waitFor();
    if (width < 992) await page.locator(".bottom-bar button").click();
    await page.locator(`${listIn(width)} .nav-link.active`).waitFor();
    for (const height of heights) {
      await page.setViewportSize({ width, height });
      const shown = async () => JSON.parse(await page.evaluate(`(${listed})(document.querySelector("${listIn(width)}"))`)) as Listed;
      const wanted = { chosenIsClear: true, fadesAbove: true, fadesBelow: true };
      await expect.poll(shown, { message: `${path} at ${width} × ${height}` }).toMatchObject(wanted);
      seen.add((await shown()).isLonger);
      if (height === 500) await screenshot(page, `rail-${width}${path.replaceAll("/", "-")}`);
    }
  }
  // Some of the heights are too low for the whole list, and some are not.
  expect(seen).toEqual(new Set([true, false]));
});

interface Listed {
  isLonger: boolean;
  chosenIsClear: boolean;
  fadesAbove: boolean;
  fadesBelow: boolean;
}

const listIn = (width: number) => (width < 992 ? ".all-pages" : ".rail-pages");

/** What a list of pages shows: its open page clear of both fading edges, and an edge that fades exactly where more follows. */
const listed = `(nav) => {
  const frame = nav.getBoundingClientRect();
  const link = nav.querySelector(".nav-link.active").getBoundingClientRect();
  const style = getComputedStyle(nav);
  const [above, below] = [parseFloat(style.getPropertyValue("--above")), parseFloat(style.getPropertyValue("--below"))];
  const rest = nav.scrollHeight - nav.clientHeight - nav.scrollTop;
  return JSON.stringify({
    isLonger: nav.scrollHeight > nav.clientHeight + 1,
    chosenIsClear: link.top >= frame.top + above - 1 && link.bottom <= Math.min(frame.bottom, innerHeight) - below + 1,
    fadesAbove: style.maskImage !== "none" && above > 0 === nav.scrollTop > 1,
    fadesBelow: style.maskImage !== "none" && below > 0 === rest > 1,
  });
}`;
