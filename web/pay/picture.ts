// The picture that a buyer sends as proof.

import { shrinkPicture } from "../pictures/shrink-picture.ts";

/** Shrinks a photo over one of the limits. If it is still too large, clears the field and returns false. */
export async function fitPicture(input: HTMLInputElement): Promise<boolean> {
  const file = input.files?.[0];
  if (file === undefined) return true;
  const smaller = await shrinkPicture(file);
  // Another image may have been chosen in the meantime; it is processed on its own.
  if (smaller === file || input.files?.[0] !== file) return true;
  if (smaller === null) {
    input.value = "";
    return false;
  }
  const carrier = new DataTransfer();
  carrier.items.add(smaller);
  input.files = carrier.files;
  return true;
}

/** Shows the chosen picture under its field. */
export function previewPicture(input: HTMLInputElement, changeText: string): void {
  const file = input.files?.[0];
  const field = input.closest(".field");
  const image = field?.querySelector<HTMLImageElement>("[data-preview]");
  const label = field?.querySelector("[data-pick]");
  if (file === undefined || !image || !label) return;
  if (image.src !== "") URL.revokeObjectURL(image.src);
  image.src = URL.createObjectURL(file);
  image.hidden = false;
  label.textContent = changeText;
}
