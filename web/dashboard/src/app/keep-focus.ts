import { topDialog } from "../parts/dialogs/top-dialog.ts";

interface Held {
  element: HTMLElement;
  /** The screen at that time. Elements that had the focus before another screen came are out of place now. */
  screen: HTMLElement | null;
}

const remembered = 30;
const wanted = "[data-autofocus]";

/** Elements that had the focus, the latest last. */
let held: Held[] = [];
let last: HTMLElement | null = null;

/**
 * Keeps the focus on the page. When the focused element is removed (a dialog closes, a row disappears, another screen follows), browsers
 * leave the focus nowhere; this returns it to the previous element, or to the top of a new screen.
 */
export function keepFocus(): void {
  document.addEventListener("focusin", ({ target }) => {
    if (!(target instanceof HTMLElement)) return;
    last = target;
    const others = held.filter(({ element }) => element !== target && element.isConnected);
    held = [...others.slice(1 - remembered), { element: target, screen: screenOf() }];
  });
  document.addEventListener("pointerdown", () => setTimeout(letGo));
  // Runs at the moment of removal, however long a dialog takes to fade out.
  new MutationObserver((records) => {
    restoreFocus();
    handOn(records);
  }).observe(document.body, { childList: true, subtree: true });
}

/** A click on an empty place of the page means that nothing should have the focus. */
function letGo(): void {
  if (isNowhere() && topDialog() === null) last = null;
}

function restoreFocus(): void {
  if (!isNowhere() || last === null || last.isConnected) return;
  const dialog = topDialog();
  const heir = held.findLast(({ element, screen }) => {
    const isHere = dialog === null ? screen?.isConnected === true : dialog.contains(element);
    return isHere && element.isConnected && element.checkVisibility();
  })?.element;
  (heir ?? dialog ?? screenOf())?.focus({ preventScroll: true });
}

/** A dialog's fields may come later than the dialog, which has the focus until then. */
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
