import { useLayoutEffect } from "react";

/** A dialog fades for a moment before it lets the keyboard go. */
const closingMs = 160;

/** What opened the outermost dialog: where the keyboard goes on when all of them are closed. */
let opener: HTMLElement | null = null;

/** Gives the keyboard back to what opened a dialog, also when the dialog is taken off the page at once or another one follows it. */
export function useFocusReturn(open: boolean): void {
  useLayoutEffect(() => {
    if (!open) return;
    const active = document.activeElement;
    if (active instanceof HTMLElement && active !== document.body && active.closest("[role=dialog]") === null) opener = lastingOf(active);
    return () => {
      setTimeout(() => {
        const now = document.activeElement;
        if ((now === null || now === document.body) && opener?.isConnected === true) opener.focus();
      }, closingMs);
    };
  }, [open]);
}

/** An entry of a menu is gone with its menu; the button of the menu stays. */
function lastingOf(element: HTMLElement): HTMLElement {
  const button = element.closest("[role=menu]")?.getAttribute("aria-labelledby");
  return (button == null ? null : document.getElementById(button)) ?? element;
}
