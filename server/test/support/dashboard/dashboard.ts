import type { Page } from "playwright-core";
import { expect } from "vitest";
import { processEnvironment } from "#app/config.ts";
import type { Language } from "#platform/index.ts";
import { phone, type TestBrowser } from "#test/support/browser/browser.ts";
import { testPassword } from "#test/support/people/visitors.ts";
import { inTurn } from "#test/support/time/in-turn.ts";

const wide = { viewport: { width: 1440, height: 900 } };

export interface Look {
  language: Language;
  theme: "light" | "dark";
  /** A touch screen 390 pixels wide; otherwise one 1440 pixels wide. */
  onPhone?: boolean;
}

/**
 * The look in `LOOK`, such as `zh-dark-phone`; without it `en-light-wide`. `npm run test:long` runs the journeys and the sweep in all
 * eight.
 */
export function givenLook(): Required<Look> {
  const named = processEnvironment()["LOOK"] ?? "en-light-wide";
  const [, language, theme, device] = /^(en|zh)-(light|dark)-(wide|phone)$/.exec(named) ?? [];
  if (device === undefined) throw new Error(`LOOK is ${JSON.stringify(named)}; it is (en|zh)-(light|dark)-(wide|phone)`);
  return { language: language as Look["language"], theme: theme as Look["theme"], onPhone: device === "phone" };
}

let built: Promise<void> | undefined;

/**
 * Builds the dashboard unless the last build is of these sources: each worker looks once, because that reads all of them. Several workers
 * need it at once in a new clone, where one builds it.
 */
export function buildDashboard(): Promise<void> {
  return (built ??= inTurn("dashboard", async () => {
    const { ensureDashboard } = (await import(new URL("../../../../scripts/dashboard.mjs", import.meta.url).href)) as {
      ensureDashboard(node: string): Promise<void>;
    };
    await ensureDashboard(process.execPath);
  }));
}

/** How many bytes of script sign-in and overview may load together, in gzip. */
export const maxFirstScript = 250_000;

/**
 * Counts the script that a page loads from now on, in gzip bytes: that is what browsers get without Brotli, as over plain http from any
 * other host.
 */
export function countScript(page: Page): () => Promise<number> {
  const urls = new Set<string>();
  page.on("response", (response) => {
    if (response.url().endsWith(".js")) urls.add(response.url());
  });
  return async () => {
    const answers = await Promise.all([...urls].map((url) => page.context().request.get(url, { headers: { "accept-encoding": "gzip" } })));
    expect(answers.map((answer) => answer.headers()["content-encoding"])).toEqual(answers.map(() => "gzip"));
    return answers.reduce((sum, answer) => sum + Number(answer.headers()["content-length"]), 0);
  };
}

export interface Opened {
  page: Page;
  /** Everything that the console complained about. */
  complaints: string[];
}

export interface OpenOptions {
  origin: string;
  look: Look;
  /** The look's device unless the journey is about another one. */
  onPhone?: boolean;
  /** Signs in as this person before the page is opened. */
  email?: string;
}

/** A new browser session with one look, signed in if a person is specified. */
export async function openDashboard(
  browser: TestBrowser,
  { origin, look, onPhone = look.onPhone ?? false, email }: OpenOptions,
): Promise<Opened> {
  const page = await browser.page(onPhone ? phone : wide);
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(`${message.text()} at ${message.location().url}`);
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.context().addCookies([
    { name: "tillpost_language", value: look.language, url: origin },
    { name: "tillpost_theme", value: look.theme, url: origin },
  ]);
  if (email !== undefined) {
    const answer = await page
      .context()
      .request.post(`${origin}/api/auth/sign-in/email`, { data: { email, password: testPassword }, headers: { origin } });
    expect(answer.status(), await answer.text()).toBe(200);
  }
  return { page, complaints };
}
