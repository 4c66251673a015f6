import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, expect, onTestFinished } from "vitest";
import { processEnvironment } from "#app/config.ts";
import { inTurn } from "#test/support/time/in-turn.ts";
import { unpackWoff } from "./woff.ts";

/** The browser of one test file. */
export interface TestBrowser {
  /** A page in a new session: phone-sized and without motion by default; closed after the test that opened it, else after the file. */
  page(options?: BrowserContextOptions): Promise<Page>;
}

export const phone = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
} satisfies BrowserContextOptions;

/** A busy machine is slow, which is no fault of a page. */
const timeoutMs = 240_000;

const quiet = [
  "--disable-background-networking",
  "--disable-quic",
  "--no-first-run",
  "--disable-component-update",
  "--disable-sync",
  // Containers have little shared memory.
  "--disable-dev-shm-usage",
  "--font-render-hinting=none",
];
const require = createRequire(import.meta.url);
/** The minified form: it is sent to every page that is tested. */
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const pictures = fileURLToPath(new URL("../../../../.screenshots/", import.meta.url));

/**
 * One for all files of a worker that shares their modules: starting it costs more than most files use it for. It ends with the worker, when
 * its pipe closes.
 */
let launched: Browser | undefined;

/** Sessions in the Chromium from the packages, with Chinese glyphs. Call it at the top of the file. */
export async function openBrowser(): Promise<TestBrowser> {
  const sessions: BrowserContext[] = [];
  afterAll(async () => {
    await Promise.all(sessions.map((session) => session.close()));
  });
  if (launched?.isConnected() !== true) launched = await launch();
  const browser = launched;
  return {
    page: async (options = phone) => {
      // Fades and pulses take time and are drawn by the processor; both the dashboard and the payment page leave them out on request.
      const session = await browser.newContext({ reducedMotion: "reduce", ...options });
      session.setDefaultTimeout(timeoutMs);
      // An open page keeps polling its server and uses the processors.
      if (expect.getState().currentTestName === undefined) sessions.push(session);
      else onTestFinished(() => session.close());
      return session.newPage();
    },
  };
}

/**
 * In a private folder, and without its sandbox, which root may not use and many containers don't allow: it only ever opens our own pages.
 */
async function launch(): Promise<Browser> {
  const folder = await mkdtemp(join(tmpdir(), "tillpost-browser-"));
  const unpacked = await unpackOnce();
  const places = {
    TMPDIR: folder,
    HOME: folder,
    FONTCONFIG_PATH: join(unpacked, "fonts"),
    LD_LIBRARY_PATH: join(unpacked, "al2023", "lib"),
  };
  const env = { ...processEnvironment(), ...places };
  const executablePath = join(unpacked, "chromium");
  return chromium.launch({ executablePath, headless: true, chromiumSandbox: false, args: quiet, env, timeout: timeoutMs });
}

/**
 * Call it before the first `goto` of a page whose requests are later held or refused: Chromium informs an already open page too late for
 * its next request.
 */
export async function prepareToIntercept(page: Page): Promise<void> {
  await page.route("http://intercepted.invalid/", (route) => route.abort());
}

/** The long tests, a look other than the usual one, or a run with `SCREENSHOTS=1`: `npm test` itself takes no screenshots. */
function isInFull(): boolean {
  const { SCREENSHOTS, LOOK } = processEnvironment();
  return SCREENSHOTS === "1" || LOOK !== undefined || expect.getState().testPath?.endsWith(".long.test.ts") === true;
}

/** Writes a page's screenshot to `.screenshots/<name>.png` for people to look at: in the long form, and with `SCREENSHOTS=1`. */
export async function screenshot(page: Page, name: string): Promise<void> {
  if (!isInFull()) return;
  await mkdir(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
}

interface Found {
  id: string;
  help: string;
  nodes: { html: string; failureSummary?: string }[];
}

/**
 * Ends once no transition is running, because colors are wrong until then. Infinite animations aren't awaited. A dialog is moved by its
 * styles, and has no animation for a moment before its fade starts and after it ends: so frames are checked until one is calm.
 */
const untilCalm = `(async () => {
  const frame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const fading = () => document.getAnimations().filter((one) => one.effect?.getComputedTiming().endTime !== Infinity);
  const halfThere = () => [...document.querySelectorAll('[style*="opacity"]')].some((one) => one.style.opacity === "0" && one.checkVisibility());
  for (;;) {
    await frame();
    const moving = fading();
    if (moving.length === 0 && !halfThere()) return;
    await Promise.all(moving.map((one) => one.finished.catch(() => {})));
  }
})()`;

/** Resolves once the page has been drawn and none of its transitions is running. */
export async function calm(page: Page): Promise<void> {
  await page.evaluate(untilCalm);
}

/** Walks through the dashboard, whose screens the sweep checks: in the long form all of them, in `npm test` samples. */
const walk = /\/web\/e2e\/(?!screens\/screens\.test\.ts$)/;
const dialog = "[role=dialog]";

/**
 * Expects no axe-core violations on the page once its transitions have ended. `except` lists selectors that were checked before. In
 * `npm test`, a walk through the dashboard only checks the dialogs that it opens.
 */
export async function expectAccessible(page: Page, except: string[] = []): Promise<void> {
  const isWalk = walk.test(expect.getState().testPath ?? "");
  await expectPartAccessible(page, { part: isWalk && !isInFull() ? "dialogs" : "page", except });
}

/** What is checked, and what within it was checked before. */
interface Part {
  part: "page" | "dialogs";
  except?: string[];
}

/** The same for the whole page, or only for its open dialogs: nothing if none is open. */
export async function expectPartAccessible(page: Page, { part, except = [] }: Part): Promise<void> {
  await calm(page);
  if (part === "dialogs" && (await page.locator(dialog).count()) === 0) return;
  const context = JSON.stringify({ ...(part === "dialogs" && { include: [dialog] }), exclude: except });
  // Only two rules, about turned phones and about sound, need all styles read once more: those are for the long form.
  const options = JSON.stringify({ resultTypes: ["violations"], preload: isInFull() });
  const run = `axe.run(${context}, ${options}).then(({ violations }) => JSON.stringify(violations))`;
  const found = JSON.parse(await evaluateByAxe(page, run)) as Found[];
  expect(
    found.map(({ id, help, nodes }) => `${id}: ${help}\n${nodes.map((node) => `${node.html}\n${node.failureSummary ?? ""}`).join("\n")}`),
  ).toEqual([]);
}

/** Through the debugger, which a page's content policy doesn't restrict. A page that navigated within itself still has axe-core. */
async function evaluateByAxe(page: Page, run: string): Promise<string> {
  const debug = await page.context().newCDPSession(page);
  const evaluate = async (expression: string) => {
    const { result, exceptionDetails } = await debug.send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value as unknown;
  };
  const isThere = await evaluate("typeof axe === 'object'");
  // The session stays open until its page closes: ending it would also end the simulation of a lost connection.
  return String(await evaluate(isThere === true ? run : `${axe}; ${run}`));
}

/** The program, its libraries and its fonts, in the run's temporary folder: the first test that needs them unpacks them for all. */
async function unpackOnce(): Promise<string> {
  const place = join(tmpdir(), "tillpost-chromium");
  await inTurn("chromium", async () => {
    if (existsSync(place)) return;
    const making = await mkdtemp(join(tmpdir(), "tillpost-unpacking-"));
    await unpack(making);
    await addChineseFont(join(making, "fonts"), join(place, "fonts"));
    await rename(making, place);
  });
  return place;
}

/** The package unpacks into the temporary folder, and its own libraries only if it believes that the machine is bare. */
async function unpack(folder: string): Promise<void> {
  const environment = processEnvironment();
  const before = {
    TMPDIR: environment["TMPDIR"],
    FONTCONFIG_PATH: environment["FONTCONFIG_PATH"],
    LD_LIBRARY_PATH: environment["LD_LIBRARY_PATH"],
  };
  Object.assign(environment, { AWS_EXECUTION_ENV: "AWS_Lambda_nodejs22.x", TMPDIR: folder });
  try {
    const { default: packed } = await import("@sparticuz/chromium");
    await packed.executablePath();
  } finally {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete environment[name];
      else environment[name] = value;
    }
  }
}

/** Only these fonts are known, so that a page looks the same on every machine. `place` is where the folder will be. */
async function addChineseFont(folder: string, place: string): Promise<void> {
  const font = dirname(require.resolve("@fontsource/noto-sans-sc/package.json"));
  await mkdir(folder, { recursive: true });
  for (const weight of [400, 700]) {
    const packed = await readFile(join(font, "files", `noto-sans-sc-chinese-simplified-${weight}-normal.woff`));
    await writeFile(join(folder, `noto-sans-sc-${weight}.ttf`), unpackWoff(packed));
  }
  const known = `<fontconfig><dir>${place}</dir><cachedir>${place}-cache</cachedir></fontconfig>`;
  await writeFile(join(folder, "fonts.conf"), `<?xml version="1.0"?>\n<!DOCTYPE fontconfig SYSTEM "fonts.dtd">\n${known}\n`);
}
