import type { Page } from "playwright-core";
import { expect } from "vitest";

const maxSteps = 80;

/**
 * The focused element: its words, whether it has a visible outline or ring that isn't cut off, and whether it follows the previously
 * focused one.
 */
const focused = `(() => {
  const one = document.activeElement;
  const ring = ({ outlineStyle, outlineWidth }) => outlineStyle !== "none" && parseFloat(outlineWidth) > 0;
  const isCutOff = (at) => {
    const [inner, outer] = [at, at.parentElement].map((box) => box.getBoundingClientRect());
    const fills = inner.left <= outer.left + 2 && inner.right >= outer.right - 2 && inner.top <= outer.top + 2 && inner.bottom >= outer.bottom - 2;
    return fills && getComputedStyle(at.parentElement).overflow === "hidden" && parseFloat(getComputedStyle(at).outlineOffset) >= 0;
  };
  const drawn = [one, one.parentElement, one.closest("label")].filter((drawn) => drawn !== null);
  const seen = drawn.some((at) => (ring(getComputedStyle(at)) && !isCutOff(at)) || ring(getComputedStyle(at, "::after"))) || getComputedStyle(one).boxShadow !== "none";
  const name = one.labels?.[0]?.innerText ?? one.getAttribute("aria-label") ?? one.innerText ?? "";
  const before = window.keyboardBefore;
  window.keyboardBefore = one;
  const follows = before === undefined || (before.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  const isInDialog = one.closest("[role=dialog]") !== null;
  const isTrapped = document.querySelector("[role=dialog]") === null || isInDialog;
  const isFaulty = one.getAttribute("aria-invalid") === "true" && (one.getAttribute("aria-describedby") ?? "").split(" ").some((id) => document.getElementById(id)?.innerText);
  return { name: name.trim(), role: one.getAttribute("role"), seen, isBody: one === document.body, follows, isInDialog, isTrapped, isFaulty };
})()`;

interface Focused {
  name: string;
  role: string | null;
  seen: boolean;
  isBody: boolean;
  follows: boolean;
  isInDialog: boolean;
  /** Not outside an open dialog. */
  isTrapped: boolean;
  /** A field that shows an error. */
  isFaulty: boolean;
}

const waiting = `["aria-busy", "aria-disabled"].map((name) => document.activeElement.getAttribute(name)).join()`;

/** A page used without a pointer. */
export function keyboardOn(page: Page) {
  const press = (key: string) => page.keyboard.press(key);
  const read = async () => (await page.evaluate(focused)) as Focused;

  const tabTo = (name: string) => tabUntil({ press, read }, name);

  /** Waits until the focused element is as expected. */
  const has = (expected: Partial<Focused>) => expect.poll(read).toMatchObject(expected);

  /** Waits for what a press opens, which must take the focus. */
  const opened = async (): Promise<void> => {
    await page.getByRole("dialog").waitFor();
    await has({ isInDialog: true });
  };

  /** Waits until no dialog is open and an element of the page has the focus; with a name, that element. */
  const closed = async (name?: string): Promise<void> => {
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
    await has(name === undefined ? { isBody: false } : { name });
  };

  /** Opens a menu and chooses an entry with the arrows. */
  const choose = async (menu: string, entry: string): Promise<void> => {
    if ((await read()).name !== menu) await tabTo(menu);
    await press("Enter");
    await has({ role: "menuitem" });
    for (let step = 0; (await read()).name !== entry; step += 1) {
      expect(step, `the arrows on the way to ${entry}`).toBeLessThan(maxSteps);
      await press("ArrowDown");
    }
    await press("Enter");
  };

  /** Waits until the focused element can be pressed: some buttons wait for what their dialog still loads. */
  const ready = () => expect.poll(() => page.evaluate(waiting)).not.toContain("true");

  return {
    press,
    ready,
    type: (text: string) => page.keyboard.type(text),
    read,
    has,
    tabTo,
    opened,
    closed,
    choose,
    pressHeld: (url: RegExp) => pressHeld(page, url),
  };
}

interface Keys {
  press(key: string): Promise<void>;
  read(): Promise<Focused>;
}

/**
 * Presses Tab until the named element has the focus. Everything on the way must show its focus, in the order of the page, and inside an
 * open dialog.
 */
async function tabUntil({ press, read }: Keys, name: string): Promise<void> {
  await read();
  let turns = 0;
  for (let step = 0; step < maxSteps; step += 1) {
    await press("Tab");
    const at = await read();
    expect(at.seen || at.isBody, `focus is seen on ${at.name}`).toBe(true);
    expect(at.isTrapped, `the dialog keeps the keyboard from ${at.name}`).toBe(true);
    if (!at.follows) turns += 1;
    expect(turns, `the order up to ${at.name}`).toBeLessThanOrEqual(1);
    if (at.name === name) return;
  }
  throw new Error(`Tab never reached ${name}`);
}

/**
 * On a page prepared to intercept, presses the focused element and withholds the response: it keeps the focus, reports that it is busy, and
 * sends nothing when pressed again.
 */
async function pressHeld(page: Page, url: RegExp): Promise<void> {
  let sent = 0;
  const answer = Promise.withResolvers<void>();
  const passed = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    if (route.request().method() === "GET") return await route.fallback();
    sent += 1;
    await answer.promise;
    await route.continue();
    passed.resolve();
  });
  await page.keyboard.press("Enter");
  await expect.poll(() => sent).toBe(1);
  await expect.poll(() => page.evaluate(waiting)).toBe("true,true");
  for (const key of ["Enter", "Space"]) await page.keyboard.press(key);
  expect(await page.evaluate(waiting)).toBe("true,true");
  answer.resolve();
  await passed.promise;
  await page.unroute(url);
  expect(sent).toBe(1);
}
