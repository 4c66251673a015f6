import { domainToASCII } from "node:url";
import { normalForm } from "./normal-form.ts";

/** The form of nearly every address: only its case needs folding. */
const plain = /^[a-z0-9!#$%&'*+\-/=?^_`{|}~.]+@[a-z0-9.-]+$/;
const atoms = /^[^\s"(),:;<>@[\\\]\u0000-\u001f\u007f]+$/;
/** In characters, as typed: far longer than any. */
const longestDomain = 1_000;

/**
 * The form in which addresses are compared, however they were typed: lower case, full-width characters as normal ones, quotes around a
 * local part only if it needs them, the domain as in DNS. Anything that isn't an email address, such as a phone number, is folded too.
 * Messages are sent to the address as given.
 */
export function canonicalAddress(text: string): string {
  const lower = text.trim().toLowerCase();
  if (plain.test(lower)) return lower;
  const folded = normalForm(text, "NFKC").trim().toLowerCase();
  const at = folded.lastIndexOf("@");
  // Of a longer one, the marks would be sorted in time that grows with the square of their number.
  const isDomain = at >= 1 && folded.length - at - 1 <= longestDomain;
  const domain = isDomain ? domainToASCII(folded.slice(at + 1)).toLowerCase() : "";
  return domain === "" ? folded : `${localPart(folded.slice(0, at))}@${domain}`;
}

/** `"ada"` and `ada` are one address (RFC 5321 §4.1.2). */
function localPart(text: string): string {
  const isQuoted = text.length > 1 && text.startsWith('"') && text.endsWith('"');
  const bare = isQuoted ? text.slice(1, -1).replace(/\\([^\n])/g, "$1") : text;
  return atoms.test(bare) && !/^\.|\.\.|\.$/.test(bare) ? bare : `"${bare.replace(/["\\]/g, "\\$&")}"`;
}
