const control = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;
const turning = /[\u202a-\u202e\u2066-\u2069]/;
const reserved = new Set(["test", "invalid", "example", "localhost"]);

/** True if a text contains a line break or another control character, which would end the header that it is in. */
export function hasControl(text: string): boolean {
  return control.test(text);
}

/** True if a text contains characters that reverse the writing direction, and so can look like another one: `gpj.exe` like `exe.jpg`. */
export function turnsWriting(text: string): boolean {
  return turning.test(text);
}

/**
 * True if a text contains a word too long for a line of email (RFC 5322 §2.1.1), since lines only break between words. Non-ASCII words are
 * encoded in short pieces.
 */
export function hasLongWord(text: string): boolean {
  return /[!-~]{901}/.test(text);
}

/** True for domains where no one can have email (RFC 2606, RFC 6761). */
export function isReserved(domain: string): boolean {
  const labels = domain.split(".");
  return reserved.has(labels.at(-1) ?? "") || (labels.at(-2) === "example" && ["com", "net", "org"].includes(labels.at(-1) ?? ""));
}
