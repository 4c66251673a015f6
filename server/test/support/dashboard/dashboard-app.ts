import { listen } from "#test/support/app/listen.ts";
import { type TestApp, type TestAppOptions, testApp } from "#test/support/app/test-app.ts";
import { openBrowser, type TestBrowser } from "#test/support/browser/browser.ts";
import { buildDashboard, givenLook, type Look } from "./dashboard.ts";

export interface DashboardApp {
  app: TestApp;
  browser: TestBrowser;
  origin: string;
  look: Required<Look>;
  /** The word in the look's language. */
  say(en: string, zh: string): string;
}

/** What a browser test of the dashboard starts with: an app that serves it to any number of visitors, a browser, and the requested look. */
export async function dashboardApp(options: TestAppOptions = {}): Promise<DashboardApp> {
  await buildDashboard();
  const app = await testApp({ ...options, http: { perMinuteUnauthenticated: 10_000, ...options.http } });
  const look = givenLook();
  return { app, browser: await openBrowser(), origin: await listen(app), look, say: (en, zh) => (look.language === "zh" ? zh : en) };
}
