/** Longer words leave a header's first line empty, or make one that is longer than lines should be (RFC 5322 §2.1.1). */
const longWord = /[!-~]{61}/;
/** Base64 of it fits into a line with its frame around it. */
const wordBytes = 39;

/**
 * A subject in encoded words (RFC 2047), where it must not go as it stands: between two of them readers leave the end of a line out, so that a word that is
 * longer than a line comes out whole; and a text that looks like one itself is read as it was written. null: it may go as it stands.
 */
export function subjectInWords(subject: string): string | null {
  if (!longWord.test(subject) && !subject.includes("=?")) return null;
  const words: string[] = [];
  let word = "";
  for (const sign of subject.toWellFormed()) {
    if (Buffer.byteLength(word + sign) > wordBytes) {
      words.push(word);
      word = "";
    }
    word += sign;
  }
  return [...words, word].map((text) => `=?UTF-8?B?${Buffer.from(text).toString("base64")}?=`).join("\r\n ");
}
