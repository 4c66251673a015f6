import type { Page } from "playwright-core";
import { calm, expectAccessible, screenshot, type TestBrowser } from "#test/support/browser/browser.ts";
import { type Look, type Opened, openDashboard } from "./dashboard.ts";
import { samples, screens } from "./dashboard-screens.ts";
import type { DashboardData } from "./dashboard-world.ts";

/** axe-core skips text in exactly its background's color. */
const inItsOwnColour = `[...document.querySelectorAll("a, button")]
  .filter((one) => one.innerText.trim() !== "" && getComputedStyle(one).color === getComputedStyle(one).backgroundColor)
  .map((one) => one.innerText).join(", ")`;
const width = "document.documentElement.scrollWidth - document.documentElement.clientWidth";

/** Surrounds every screen, so checking it on one screen is enough. */
const frame = [".rail", ".top-bar", ".bottom-bar"];
const title = "h1:not([data-left])";
const leaving = `document.querySelectorAll("h1").forEach((one) => one.setAttribute("data-left", ""))`;

const bare = (address: string) => address.replace(/\/$/, "");

export interface SweepOptions {
  browser: TestBrowser;
  origin: string;
  world: DashboardData;
  look: Look;
  onPhone: boolean;
}

/** One look of the dashboard, with what is expected of every screen in it. */
export function sweepIn({ browser, origin, world, look, onPhone }: SweepOptions) {
  const open = (email?: string) => openDashboard(browser, { origin, look, onPhone, ...(email === undefined ? {} : { email }) });

  const goto = async (page: Page, path: string) => {
    await page.goto(`${origin}/dashboard${path}`);
    await page.getByRole("heading", { level: 1 }).first().waitFor();
    await page.locator(".skeletons").first().waitFor({ state: "detached" });
  };

  /** Everything that was wrong, so that one run reports all of it. */
  const faults: string[] = [];

  /** Checks that the screen is accessible and not wider than the viewport, and takes a screenshot. */
  const check = async (page: Page, name: string, except: string[] = []) => {
    await screenshot(page, `dashboard-${name}-${look.language}-${look.theme}-${onPhone ? "phone" : "wide"}`);
    await expectAccessible(page, except).catch((error: Error & { actual?: unknown }) =>
      faults.push(`${name}: ${JSON.stringify(error.actual ?? error.message)}`),
    );
    faults.push(...(await odditiesOf(page, name)));
  };

  /** Every screen where it has something to show. Returns all faults and the console's complaints. */
  const filled = async (): Promise<string[]> => {
    const [inside, outside] = [await open(world.owner.email), await open()];
    for (const screen of screens) {
      const { page } = screen.isPublic === true ? outside : inside;
      await goto(page, screen.path(world));
      if (screen.isPublic !== true && (await page.locator("main.lone").count()) > 0) faults.push(`${screen.route}: is not there`);
      await check(page, nameOf(screen.route));
    }
    return [...faults, ...complaintsOf(inside, outside)];
  };

  /** Every screen in a project where nothing has happened yet. */
  const empty = async (): Promise<string[]> => {
    const { page, complaints } = await open(world.newcomer.email);
    for (const screen of screens.filter(({ route, isPublic }) => isPublic !== true && !/\$|operator/.test(route))) {
      await goto(page, screen.path(world));
      await check(page, `empty-${nameOf(screen.route)}`);
    }
    return [...faults, ...complaints];
  };

  return { open, goto, check, faults, filled, empty };
}

/** What axe-core doesn't see: a screen wider than the viewport, and text in its background's color. */
async function odditiesOf(page: Page, name: string): Promise<string[]> {
  const [wider, unreadable] = await page.evaluate<[number, string]>(`[${width}, ${inItsOwnColour}]`);
  return [
    ...(unreadable === "" ? [] : [`${name}: written in the colour of its ground: ${unreadable}`]),
    ...(wider === 0 ? [] : [`${name}: ${wider} pixels wider than the screen`]),
  ];
}

/**
 * Every screen where it has something to show, each reached from the previous one; axe-core checks the samples, and the frame around them
 * once. Returns the same as `filled`.
 */
export async function walkScreens(options: SweepOptions): Promise<string[]> {
  const { origin, world } = options;
  const { open, goto, check, faults } = sweepIn(options);
  const [inside, outside] = [await open(world.owner.email), await open()];
  const looked = new Set<Page>();
  await goto(inside.page, "/");
  await goto(outside.page, "/sign-in");
  const project = bare(inside.page.url());
  for (const screen of screens) {
    const { page } = screen.isPublic === true ? outside : inside;
    await walkTo(page, `${screen.isPublic === true ? `${origin}/dashboard` : project}${screen.path(world)}`);
    if (screen.isPublic !== true && (await page.locator("main.lone").count()) > 0) faults.push(`${screen.route}: is not there`);
    if (!samples.has(screen.route)) {
      await calm(page);
      faults.push(...(await odditiesOf(page, nameOf(screen.route))));
      continue;
    }
    await check(page, nameOf(screen.route), looked.has(page) ? frame : []);
    looked.add(page);
  }
  return [...faults, ...complaintsOf(inside, outside)];
}

/** Opens another screen like a link does, within the open page: a third of the work of reloading it. */
async function walkTo(page: Page, address: string): Promise<void> {
  if (bare(page.url()) === bare(address)) return;
  await page.evaluate(`${leaving}; history.pushState({}, "", ${JSON.stringify(address)})`);
  await page.locator(title).first().waitFor();
  await page.locator(".skeletons").first().waitFor({ state: "detached" });
}

/** The browser itself reports a refused link, which the page explains in words. */
function complaintsOf(inside: Opened, outside: Opened): string[] {
  return [...inside.complaints, ...outside.complaints.filter((text) => !/status of 40[0-9] /.test(text))];
}

export function nameOf(route: string): string {
  return route.slice(1).replace(/\?.*/, "-dialog").replace(/\$\w+/g, "one").replaceAll("/", "-") || "overview";
}
