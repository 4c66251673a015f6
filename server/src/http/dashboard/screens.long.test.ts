import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { openBrowser } from "#test/browser.ts";
import { buildDashboard, type Look, listen } from "#test/dashboard.ts";
import { dialogs, screens } from "#test/dashboard-screens.ts";
import { nameOf, sweepIn } from "#test/dashboard-sweep.ts";
import { dashboardWorld, type World } from "#test/dashboard-world.ts";
import { house } from "#test/house.ts";

const home = await house({ http: { perMinuteUnauthenticated: 100_000, perMinuteTest: 100_000, signUp: "open" } });
const browser = await openBrowser();
const looks: Look[] = (["en", "zh"] as const).flatMap((language) => (["light", "dark"] as const).map((theme) => ({ language, theme })));
const aDialog = "section[role=dialog]";
/** Most presses open nothing. */
const quickMs = 400;
const calmMs = 3_000;
let origin = "";
let world: World;

beforeAll(async () => {
  await buildDashboard();
  origin = await listen(home);
  world = await dashboardWorld(home);
}, 300_000);

describe.each(looks.flatMap((look) => [false, true].map((onPhone) => ({ look, onPhone, ...look, device: onPhone ? "phone" : "wide" }))))(
  "in $language, $theme, $device",
  ({ look, onPhone }) => {
    const sweep = () => sweepIn({ browser, origin, world, look, onPhone });

    test("every screen with something in it is accessible, fits its width and leaves the console quiet", async () => {
      expect(await sweep().filled()).toEqual([]);
    });

    test("every screen with nothing in it yet", async () => {
      expect(await sweep().empty()).toEqual([]);
    });

    test("screens that load, that failed to load, and that are not there", async () => {
      const { open, goto, check, faults } = sweep();
      const { page } = await open(world.owner.email);
      await goto(page, "/");
      await page.route(unread, () => {});
      for (const route of ["/", "/orders", "/messages"]) {
        await page.goto(`${origin}/dashboard${route}`);
        await page.locator(".skeletons").first().waitFor();
        await check(page, `loading-${nameOf(route)}`);
      }
      await page.unrouteAll({ behavior: "ignoreErrors" });
      await page.route(unread, (way) => way.fulfill({ status: 403, json: { error: { code: "permission_denied", message: "No." } } }));
      for (const route of ["/", "/orders", "/messages"]) {
        await page.goto(`${origin}/dashboard${route}`);
        await page.locator(".trouble").first().waitFor();
        await check(page, `failed-${nameOf(route)}`);
      }
      await page.goto(`${page.url().split("?")[0]}/no/such/page`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await check(page, "not-there");
      expect(faults).toEqual([]);
    });

    test("every menu and dialog opens accessible and fitting, closes at Escape and gives the keyboard back", async () => {
      const own = sweep();
      const { page, complaints } = await own.open(world.owner.email);
      for (const path of dialogs) {
        await own.goto(page, path);
        await checkDialog(page, nameOf(path), own);
      }
      for (const screen of screens.filter(({ door }) => door !== true))
        await pressAll(page, { path: screen.path(world), name: nameOf(screen.route), sweep: own });
      expect([...own.faults, ...complaints]).toEqual([]);
    });
  },
);

/** What these screens are made of. */
const unread = /\/v1\/(projects\/.*\/(orders|figures|webhooks)|emails)(\?|$)/;

type Sweep = ReturnType<typeof sweepIn>;

interface Pressing {
  path: string;
  name: string;
  sweep: Sweep;
}

/** Of many alike, one: the first row's. */
const ownButtons = "main button:not([type=submit]):not(tr:nth-child(n+2) button):not(.copyable button)";
/** These stand above and below every screen, so one screen's are enough. TEST and LIVE stay as they are. */
const commonButtons = ".top-bar button:not(.environment-switch button), .bottom-bar button";

/** Presses each button of a screen in turn, and each entry of the menus that open. What opens a dialog must close again; what does something at once may. */
async function pressAll(page: Page, { path, name, sweep }: Pressing): Promise<void> {
  const { goto, check } = sweep;
  const buttons = path === "/" ? `${commonButtons}, ${ownButtons}` : ownButtons;
  await goto(page, path);
  const count = await page.locator(buttons).count();
  for (let at = 0; at < count; at += 1) {
    await goto(page, path);
    const button = page.locator(buttons).nth(at);
    if (!(await button.isVisible()) || !(await button.isEnabled())) continue;
    await button.click();
    await opened(page, `[role=menu], ${aDialog}`);
    const entries = page.locator("[role=menu] [role=menuitem]");
    const many = await entries.count();
    if (many > 0) await check(page, `${name}-menu-${at}`);
    if (many === 0) await checkDialog(page, `${name}-dialog-${at}`, sweep);
    // The menu above every screen leads to other pages and other looks.
    if (await button.evaluate((one) => (one as { closest(selector: string): unknown }).closest("main") === null)) continue;
    for (let entry = 0; entry < many; entry += 1) {
      await goto(page, path);
      if (!(await button.isVisible())) break;
      await button.click();
      await entries.nth(entry).click();
      await opened(page, aDialog);
      await checkDialog(page, `${name}-dialog-${at}-${entry}`, sweep);
    }
  }
}

/** Waits for what a press may have opened. */
async function opened(page: Page, what: string): Promise<void> {
  await page
    .locator(what)
    .first()
    .waitFor({ timeout: quickMs })
    .catch(() => {});
}

async function checkDialog(page: Page, name: string, { check }: Sweep): Promise<void> {
  const dialog = page.locator(aDialog).first();
  if ((await dialog.count()) === 0) return;
  await check(page, name);
  await page.keyboard.press("Escape");
  const gone = await dialog.waitFor({ state: "detached", timeout: calmMs }).then(
    () => true,
    () => false,
  );
  // What is shown once is closed on purpose alone.
  if (!gone) await dialog.locator("button").last().click();
}
