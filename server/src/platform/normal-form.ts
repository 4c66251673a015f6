/** Marks that belong to the letter before them; the last two are half-width signs that become such marks. */
const longRun = /[\p{M}\uff9e\uff9f]{31}/u;
const afterThirty = /(?<=[\p{M}\uff9e\uff9f]{30})(?=[\p{M}\uff9e\uff9f])/u;

/**
 * Returns a text in a Unicode normal form, in time that grows linearly with it: `String.normalize` sorts the marks of one letter in time
 * that grows with the square of their number. From the thirtieth on, more than any language puts on a letter, they keep their order.
 */
export function normalForm(text: string, form: "NFC" | "NFKC"): string {
  if (!longRun.test(text)) return text.normalize(form);
  return text
    .split(afterThirty)
    .map((part) => part.normalize(form))
    .join("");
}
