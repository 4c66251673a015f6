/** The top dialog: the one drawn highest, and of equals the last. */
export function topDialog(): HTMLElement | null {
  return (
    [...document.querySelectorAll<HTMLElement>("[role=dialog]")].toSorted((left, right) => heightOf(left) - heightOf(right)).at(-1) ?? null
  );
}

let hasClosed = false;

/**
 * Closes a dialog, unless another one was closed by the same press. Without transitions, as for people who prefer reduced motion, the top
 * dialog is gone before the one below it gets the same Escape.
 */
export function closeOne(close: () => void): void {
  if (hasClosed) return;
  hasClosed = true;
  // Everything that listens to one press runs before the next task.
  setTimeout(() => {
    hasClosed = false;
  });
  close();
}

function heightOf(dialog: HTMLElement): number {
  const style = getComputedStyle(dialog);
  return Number(style.getPropertyValue("--mb-z-index")) || Number(style.zIndex) || 0;
}
