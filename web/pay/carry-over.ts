import { previewPicture } from "./picture.ts";

/** Keeps what the buyer has typed, picked or opened when the main part is replaced. */
export function carryOver(old: HTMLElement, next: HTMLElement, changeText: string): void {
  for (const field of old.querySelectorAll<HTMLInputElement>("input")) {
    // It names what its page shows.
    if (field.type === "hidden") continue;
    const same = [...next.querySelectorAll<HTMLInputElement>(`input[name="${field.name}"]`)].find(
      (one) => one.type !== "radio" || one.value === field.value,
    );
    if (same === undefined) continue;
    if (field.type === "radio") same.checked = field.checked;
    else if (field.type !== "file") same.value = field.value;
    else if (field.files !== null && field.files.length > 0) {
      same.files = field.files;
      previewPicture(same, changeText);
    }
  }
  for (const details of old.querySelectorAll("details[open]"))
    next.querySelector(`details.${details.classList[0]}`)?.setAttribute("open", "");
}
