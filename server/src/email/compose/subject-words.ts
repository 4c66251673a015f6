/** Longer words leave a header's first line empty, or make one that is longer than lines should be (RFC 5322 §2.1.1). */
const longWord = /[!-~]{61}/;
/** As base64 it fits into a line together with the encoded word's delimiters. */
const wordBytes = 39;

/**
 * The subject as encoded words (RFC 2047) if it can't be sent as it is, otherwise null. Readers drop the line break between two encoded
 * words, so a word longer than a line stays whole. A subject that looks like an encoded word is encoded too, and so shown as it was
 * written.
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
