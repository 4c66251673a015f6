const control = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;
const turning = /[\u202a-\u202e\u2066-\u2069]/;
const reserved = new Set(["test", "invalid", "example", "localhost"]);

/** True for a text with a line break or another control character, which would end the header that it stands in. */
export function hasControl(text: string): boolean {
  return control.test(text);
}

/** True for a text that turns the direction of writing around by itself, and so can be made to read as another: `gpj.exe` as `exe.jpg`. */
export function turnsWriting(text: string): boolean {
  return turning.test(text);
}

/** True for a text with a word that no line of mail has room for (RFC 5322 §2.1.1), as lines end between words alone. What is not ASCII is encoded in short ones. */
export function hasLongWord(text: string): boolean {
  return /[!-~]{901}/.test(text);
}

/** Domains where no one can have email (RFC 2606, RFC 6761). */
export function isReserved(domain: string): boolean {
  const labels = domain.split(".");
  return reserved.has(labels.at(-1) ?? "") || (labels.at(-2) === "example" && ["com", "net", "org"].includes(labels.at(-1) ?? ""));
}
