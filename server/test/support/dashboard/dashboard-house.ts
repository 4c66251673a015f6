import { openBrowser, type TestBrowser } from "#test/support/browser/browser.ts";
import { type House, type HouseOptions, house } from "#test/support/house/house.ts";
import { buildDashboard, givenLook, type Look, listen } from "./dashboard.ts";

export interface DashboardHouse {
  home: House;
  browser: TestBrowser;
  origin: string;
  look: Required<Look>;
  /** The word in the look's language. */
  say(en: string, zh: string): string;
}

/** What a test of the dashboard in a browser starts with: a house that serves it to as many visitors as come, a browser, and the look that is asked for. */
export async function dashboardHouse(options: HouseOptions = {}): Promise<DashboardHouse> {
  await buildDashboard();
  const home = await house({ ...options, http: { perMinuteUnauthenticated: 10_000, ...options.http } });
  const look = givenLook();
  return { home, browser: await openBrowser(), origin: await listen(home), look, say: (en, zh) => (look.language === "zh" ? zh : en) };
}
