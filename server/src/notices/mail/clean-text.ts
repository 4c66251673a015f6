import { normalForm } from "#platform/index.ts";

/** Control characters, line breaks of every kind, invisible characters and those that reverse the writing direction. */
const unwanted = /[\p{Cc}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]+/gu;

/** Someone else's text as one harmless line: it can't break a header, or change the meaning of the text around it. */
export function cleanText(text: string, most = 200): string {
  const line = text.replace(unwanted, " ").replace(/\s+/g, " ").trim();
  const signs = [...line];
  return signs.length <= most ? line : `${signs.slice(0, most - 1).join("")}…`;
}

/** The name of a person, merchant or key, without addresses, because mail clients turn them into links. */
export function cleanName(text: string, most = 64): string {
  return cleanText(text.replace(/(?<!\w)\w+:\/+/g, " ").replace(/([\p{L}\p{N}])\.(?=\p{L}{2})/gu, "$1 "), most);
}

/**
 * The name of an unverified person, for emails to strangers: words with digits, or with characters of an address or a link are removed, as
 * its author may want to be called, written to or paid. null if nothing remains.
 */
export function plainName(text: string): string | null {
  const words = normalForm(text, "NFKC")
    .split(/\s+/)
    .filter((word) => !/[\p{N}@/\\:#%=?&$€£¥_]|[\p{L}]\.\p{L}/u.test(word));
  const name = cleanText(cleanName(words.join(" ")), 40);
  return name === "" ? null : name;
}
