import type { Locator, Page } from "playwright-core";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createOrder } from "../../../server/src/orders/index.ts";
import { prepareToIntercept } from "../../../server/test/support/browser/browser.ts";
import type { Look } from "../../../server/test/support/dashboard/dashboard.ts";
import { dashboardApp } from "../../../server/test/support/dashboard/dashboard-app.ts";
import { dialogs, screens } from "../../../server/test/support/dashboard/dashboard-screens.ts";
import { nameOf, sweepIn } from "../../../server/test/support/dashboard/dashboard-sweep.ts";
import { type DashboardData, dashboardWorld } from "../../../server/test/support/dashboard/dashboard-world.ts";

const { app, browser, origin } = await dashboardApp({
  http: { perMinuteUnauthenticated: 100_000, perMinuteTest: 100_000, signUp: "open" },
});
const themed: Look[] = (["en", "zh"] as const).flatMap((language) => (["light", "dark"] as const).map((theme) => ({ language, theme })));
const looks = themed.flatMap((look) => [false, true].map((onPhone) => ({ look, onPhone, ...look, device: onPhone ? "phone" : "wide" })));
/** Each language on each device, and each theme on both. */
const half = looks.filter(({ language, theme, onPhone }) => ((language === "en") === (theme === "light")) !== onPhone);
const aDialog = "[role=dialog]";
const aMenu = "[role=menu]";
const anEntry = "[role=menu] [role=menuitem]:not([data-disabled])";
/** Most presses open nothing, and a busy machine is slow to open what they do. */
const quickMs = 1_500;
const calmMs = 10_000;
let world: DashboardData;

beforeAll(async () => {
  world = await dashboardWorld(app);
}, 300_000);

// One person signs in more often here than allowed within a quarter of an hour.
beforeEach(async () => {
  app.clock.advance(15 * 60_000 + 1);
  await world.reportTransports();
});

describe.each(looks)("in $language, $theme, $device", ({ look, onPhone }) => {
  const sweep = () => sweepIn({ browser, origin, world, look, onPhone });

  test("every screen with content is accessible, fits its width and leaves the console quiet", async () => {
    expect(await sweep().filled()).toEqual([]);
  });

  test("every screen without content", async () => {
    expect(await sweep().empty()).toEqual([]);
  });

  test("screens that load, that failed to load, and that don't exist", async () => {
    const { open, goto, check, faults } = sweep();
    const { page } = await open(world.owner.email);
    await prepareToIntercept(page);
    await goto(page, "/");
    await page.route(unread, () => {});
    for (const route of ["/", "/orders", "/messages"]) {
      await page.goto(`${origin}/dashboard${route}`);
      await page.locator(".skeletons").first().waitFor();
      await check(page, `loading-${nameOf(route)}`);
    }
    await page.unroute(unread);
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
});

describe.each(half)("in $language, $theme, $device", ({ look, onPhone }) => {
  test("every menu and dialog is accessible and fits, closes at Escape and returns the focus", async () => {
    const own = sweepIn({ browser, origin, world, look, onPhone });
    const { page, complaints } = await own.open(world.owner.email);
    for (const path of dialogs) {
      await own.goto(page, path);
      await page.locator(aDialog).first().waitFor();
      await checkOpened(page, { name: nameOf(path), sweep: own });
    }
    for (const screen of screens.filter(({ isPublic }) => isPublic !== true))
      await pressAll(page, { path: screen.path(world), name: nameOf(screen.route), sweep: own });
    const { order } = await createOrder(app.ctx, world.tenant, {
      amount_minor: 9900,
      currency: "CNY",
      reference: `INV-${look.language}-${look.theme}-${onPhone}`,
    });
    await pressAll(page, { path: `/orders/${order.id}`, name: "orders-open", sweep: own });
    // A simulation that the order's state doesn't allow is refused: the page explains it in words, the browser logs it in its console.
    expect([...own.faults, ...complaints.filter((text) => !/status of 409 .*\/simulate-payment$/.test(text))]).toEqual([]);
  });
});

/** The requests that fill these screens. */
const unread = /\/v1\/(projects\/.*\/(orders|figures|webhooks)|emails)(\?|$)/;

type Sweep = ReturnType<typeof sweepIn>;

interface Pressing {
  path: string;
  name: string;
  sweep: Sweep;
}

/** Of several alike, only one: the first row's. */
const ownButtons = "main button:not([type=submit]):not(tr:nth-child(n+2) button):not(.copyable button)";
/** These are above and below every screen, so checking them on one screen is enough. TEST and LIVE stay as they are. */
const commonButtons = ".top-bar button:not(.environment-switch button), .bottom-bar button";

/**
 * Presses each button of a screen in turn, and each entry of the menus that open. What opens must close again; a press may also act
 * immediately.
 */
async function pressAll(page: Page, { path, name, sweep }: Pressing): Promise<void> {
  const buttons = path === "/" ? `${commonButtons}, ${ownButtons}` : ownButtons;
  await sweep.goto(page, path);
  const count = await page.locator(buttons).count();
  let isAsBefore = true;
  // From the last one on: actions are last, and what a simulation causes removes them.
  for (let at = count - 1; at >= 0; at -= 1) {
    if (!isAsBefore) await sweep.goto(page, path);
    isAsBefore = true;
    const button = page.locator(buttons).nth(at);
    if (!(await button.isVisible()) || !(await button.isEnabled())) continue;
    await button.click();
    const hasOpened = await opens(page);
    const entries = await page.locator(anEntry).allInnerTexts();
    isAsBefore = hasOpened && (await checkOpened(page, { name: `${name}-${at}`, opener: button, sweep }));
    // The menu above every screen leads to other pages and other looks.
    if (entries.length === 0 || !(await button.evaluate(isInMain))) continue;
    for (const [nth, entry] of entries.entries()) {
      await sweep.goto(page, path);
      if (await choose(page, button, entry)) await checkOpened(page, { name: `${name}-${at}-${nth}`, opener: button, sweep });
    }
    isAsBefore = false;
  }
}

/** Chooses an entry of a menu, unless an earlier one has removed it. Returns whether that opened something. */
async function choose(page: Page, button: Locator, entry: string): Promise<boolean> {
  if (!(await button.isVisible())) return false;
  await button.click();
  if (!(await opens(page))) return false;
  const at = (await page.locator(anEntry).allInnerTexts()).indexOf(entry);
  if (at < 0) return false;
  await page.locator(anEntry).nth(at).click();
  await page.locator(aMenu).first().waitFor({ state: "detached" });
  return await opens(page);
}

/** Whether a press has opened something. */
async function opens(page: Page): Promise<boolean> {
  const first = page.locator(`${aMenu}, ${aDialog}`).first();
  return await first.waitFor({ timeout: quickMs }).then(
    () => true,
    () => false,
  );
}

const isInMain = (one: unknown) => (one as { closest(selector: string): unknown }).closest("main") !== null;
/** What fades in has neither a fair picture nor its final colors. */
const isShown = `document.querySelector('[role=menu], [role=dialog]') !== null && [...document.querySelectorAll('[role=menu], [role=dialog]')].every((one) => getComputedStyle(one).opacity === "1")`;
const isFocused = (one: unknown) => (one as { matches(selector: string): boolean }).matches(":focus");

interface Opened {
  name: string;
  /** What must have the focus again afterwards. */
  opener?: Locator;
  sweep: Sweep;
}

/** Checks what is open and closes it by Escape. Returns whether the page is as it was before. */
async function checkOpened(page: Page, { name, opener, sweep: { check, faults } }: Opened): Promise<boolean> {
  const all = page.locator(`${aMenu}, ${aDialog}`);
  await expect.poll(() => page.evaluate(isShown), { timeout: calmMs }).toBe(true);
  await check(page, `${name}-open`);
  await page.keyboard.press("Escape");
  const isBack = async () => (await all.count()) === 0 && (opener === undefined || (await opener.evaluate(isFocused)));
  const closed = expect.poll(isBack, { timeout: calmMs }).toBe(true);
  return await closed.then(
    () => true,
    async () => {
      const has = await page.evaluate("document.activeElement.outerHTML.slice(0, 200)");
      faults.push(`${name}: after Escape ${await all.count()} are open, and this has the keyboard: ${has}`);
      return false;
    },
  );
}
