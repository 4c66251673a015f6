import type { Page } from "playwright-core";
import type { TestApp } from "#test/support/app/test-app.ts";
import type { TestBrowser } from "#test/support/browser/browser.ts";
import { insertManyOrders } from "#test/support/payments/many-orders.sql.ts";
import { visitor } from "#test/support/people/visitors.ts";
import { type Look, openDashboard } from "./dashboard.ts";

/** Milliseconds of each press, from the press to the frame that painted the result, by what was pressed. */
export type Took = Record<string, number[]>;

export interface WalkOptions {
  origin: string;
  look: Look;
  /** Orders in the project. */
  count: number;
  /** Presses of each kind, if enough different ones exist. */
  rounds: number;
}

const pageSize = 50;
/** Positions, among the filter's options, of the states that even the newest page has. */
const denseStates = [2, 4, 3, 0, 1];

/**
 * Filters, searches and pages through the orders of a large project, then changes the range of its figures. No press finds its response in
 * the page's memory.
 */
export async function walkManyOrders(
  app: TestApp,
  browser: TestBrowser,
  { origin, look, count, rounds }: WalkOptions,
): Promise<{ took: Took; complaints: string[] }> {
  const tenant = await app.tenant();
  await app.asSuperuser((db) => insertManyOrders(db, tenant, { count, until: new Date() }));
  const person = await visitor(app, { merchant_id: tenant.merchant_id, role: "owner" });
  const { page, complaints } = await openDashboard(browser, { origin, look, email: person.email });
  const took: Took = {};
  const press = async (name: string, work: () => Promise<unknown>) => {
    await page.evaluate(arm);
    await work();
    const ms = await page.evaluate("window.took");
    (took[name] ??= []).push(ms as number);
  };
  await walkList(page, { origin, count, rounds, press });
  await walkFigures(page, { origin, rounds, press });
  return { took, complaints };
}

interface Steps {
  origin: string;
  rounds: number;
  press(name: string, work: () => Promise<unknown>): Promise<void>;
}

async function walkList(page: Page, { origin, count, rounds, press }: Steps & { count: number }): Promise<void> {
  const open = async (search = "") => {
    await page.goto(`${origin}/dashboard/orders${search}`);
    await page.locator(".row-link").first().waitFor();
  };
  const option = (at: number) => page.locator(".choice input").nth(at);
  const openChip = (filter: string) => page.locator(`.chip[data-filter="${filter}"] > button:first-child`).click();

  await open();
  await openChip("status");
  // Each press turns one state on or off, and no set of states occurs twice.
  for (let round = 1; round <= Math.min(rounds, 2 ** denseStates.length - 1); round += 1)
    await press("state", () => option(denseStates[lowestBit(round)] as number).click());

  for (let round = 0; round < rounds; round += 1) {
    await open(round % 3 === 0 ? "" : `?status=${round % 3 === 1 ? "paid" : "failed"}`);
    await openChip("gateway");
    await press("way of paying", () => option(1).click());
    await open();
    await openChip("period");
    await press("date", () => option(round % 2).click());
  }

  await open();
  const field = page.getByRole("searchbox");
  const texts = (round: number) => [`INV-${number(round * 37 + 1, 6)}`, `buyer${(round + 1) * 3}@`, `ord_${number(round * 41 + 2, 26)}`];
  for (let round = 0; round < rounds; round += 1) for (const text of texts(round)) await press("search", () => field.fill(text));

  await open();
  const more = page.locator(".rows-foot button");
  for (let round = 0; round < Math.min(rounds, Math.ceil(count / pageSize) - 1); round += 1) await press("next page", () => more.click());
}

async function walkFigures(page: Page, { origin, rounds, press }: Steps): Promise<void> {
  for (let round = 0; round < rounds; round += 2) {
    await page.goto(`${origin}/dashboard`);
    await page.locator(".figure-number").first().waitFor();
    for (const at of [2, 0]) await press("range of the figures", () => page.locator(".mantine-SegmentedControl-label").nth(at).click());
  }
}

function lowestBit(bits: number): number {
  return Math.log2(bits & -bits);
}

function number(value: number, digits: number): string {
  return String(value).padStart(digits, "0");
}

/** Runs in the page. The paint is certain one task after the first frame with the new rows. */
const arm = `void (window.took = new Promise((resolve, reject) => {
  const shown = () => {
    const frame = document.querySelector(".rows-frame");
    if (frame?.dataset.stale === "true" || document.querySelector(".skeletons, [data-loading]")) return null;
    return document.querySelector(".rows, .empty, .figure-number")?.textContent ?? null;
  };
  const before = shown();
  let pressed = null;
  const onPress = (event) => {
    if (pressed !== null) return;
    pressed = event.timeStamp;
    // The newest orders may be the same with a filter as without; then the answer's coming in tells that they are new.
    const answered = () => performance.getEntriesByType("resource").some(({ name, startTime }) => startTime >= pressed && /[?&]limit=50\\b/.test(name));
    const look = () => {
      const now = shown();
      if (now === null || (now === before && !answered())) {
        if (performance.now() - pressed > 10000) return reject(new Error("nothing new was shown after 10 s"));
        return requestAnimationFrame(look);
      }
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => resolve(performance.now() - pressed);
      port2.postMessage(null);
    };
    requestAnimationFrame(look);
  };
  for (const kind of ["pointerdown", "keydown", "input"]) addEventListener(kind, onPress, { capture: true, once: true });
}))`;
