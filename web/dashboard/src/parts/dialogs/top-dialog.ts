/** The top dialog: the one drawn highest, and of equals the last. */
export function topDialog(): HTMLElement | null {
  return (
    [...document.querySelectorAll<HTMLElement>("[role=dialog]")].toSorted((left, right) => heightOf(left) - heightOf(right)).at(-1) ?? null
  );
}

function heightOf(dialog: HTMLElement): number {
  const style = getComputedStyle(dialog);
  return Number(style.getPropertyValue("--mb-z-index")) || Number(style.zIndex) || 0;
}
