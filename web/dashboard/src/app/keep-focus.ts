import { topDialog } from "../parts/dialogs/top-dialog.ts";

interface Held {
  element: HTMLElement;
  /** The screen that was there. What had the keyboard before another screen came is out of place now. */
  screen: HTMLElement | null;
}

const remembered = 30;
const wanted = "[data-autofocus]";

/** What had the keyboard, the latest last. */
let held: Held[] = [];
let last: HTMLElement | null = null;

/**
 * Keeps the keyboard on the page. When what has it is taken away (a dialog that closes, a row that goes, a screen that follows another),
 * browsers leave it nowhere; here it returns to what had it before, and on a new screen it begins at its top.
 */
export function keepFocus(): void {
  document.addEventListener("focusin", ({ target }) => {
    if (!(target instanceof HTMLElement)) return;
    last = target;
    const others = held.filter(({ element }) => element !== target && element.isConnected);
    held = [...others.slice(1 - remembered), { element: target, screen: screenOf() }];
  });
  document.addEventListener("pointerdown", () => setTimeout(letGo));
  // Told in the same moment in which something is taken away, however long a dialog took to fade.
  new MutationObserver((records) => {
    giveBack();
    handOn(records);
  }).observe(document.body, { childList: true, subtree: true });
}

/** Who presses an empty place of the page wants nothing to have the keyboard. */
function letGo(): void {
  if (isNowhere() && topDialog() === null) last = null;
}

function giveBack(): void {
  if (!isNowhere() || last === null || last.isConnected) return;
  const dialog = topDialog();
  const heir = held.findLast(({ element, screen }) => {
    const isHere = dialog === null ? screen?.isConnected === true : dialog.contains(element);
    return isHere && element.isConnected && element.checkVisibility();
  })?.element;
  (heir ?? dialog ?? screenOf())?.focus({ preventScroll: true });
}

/** A dialog's fields may come later than the dialog, which has the keyboard until then. */
function handOn(records: MutationRecord[]): void {
  const holder = document.activeElement?.closest("[role=dialog]");
  const field = holder?.querySelector<HTMLElement>(wanted);
  if (field === null || field === undefined) return;
  const isNew = records.some(({ addedNodes }) => [...addedNodes].some((node) => node !== holder && node.contains(field)));
  if (isNew && holder === topDialog()) field.focus({ preventScroll: true });
}

function isNowhere(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

function screenOf(): HTMLElement | null {
  return document.querySelector("main");
}
