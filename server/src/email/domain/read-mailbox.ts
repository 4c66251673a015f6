import { domainToASCII } from "node:url";

/** One email address with its optional display name. */
export interface Mailbox {
  /** Without quotes; null if there isn't one. */
  name: string | null;
  /** `local@domain`: the local part as it was written, the domain in the form of `domain`. */
  address: string;
  local: string;
  /** Lower case and in ASCII, as DNS has it. */
  domain: string;
}

const atom = /^[A-Za-z0-9!#$%&'*+\-/=?^_`{|}~\u0080-\u{10ffff}]+(\.[A-Za-z0-9!#$%&'*+\-/=?^_`{|}~\u0080-\u{10ffff}]+)*$/u;
const quoted = /^"(?:[^"\\\u0000-\u001f\u007f]|\\[^\u0000-\u001f\u007f])*"$/u;
const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
/** Two different addresses that look the same would allow circumventing a suppression. */
const unseen = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Z}]/u;
/** ASCII letters and symbols as Chinese and Japanese keyboards write them. */
const fullWidth = /[\uff01-\uff5e]/g;
const control = /[\u0000-\u001f\u007f\u2028\u2029]/;
const maxBytes = 254;
const maxLocalBytes = 64;
const maxNameLength = 320;

/**
 * Reads `a@b.example`, `Name <a@b.example>` or `"Name, Ltd." <a@b.example>`; null for everything else, including several addresses and line
 * breaks. Full-width characters of an address are read as ASCII. Letters beyond ASCII are allowed in names, local parts and domains.
 */
export function readMailbox(text: string): Mailbox | null {
  if (control.test(text) || text.length > 1_000) return null;
  const given = text.trim();
  const angle = given.endsWith(">") ? given.lastIndexOf("<") : -1;
  if (angle === -1) return mailboxOf(null, given);
  const name = readName(given.slice(0, angle).trim());
  return name === undefined ? null : mailboxOf(name, given.slice(angle + 1, -1).trim());
}

/** A domain name as DNS has it, or null if it isn't one: at least two labels, none of them empty, no IP address. */
export function readDomainName(text: string): string | null {
  const name = domainToASCII(text.trim()).toLowerCase();
  const labels = name.split(".");
  if (name.length > 253 || labels.length < 2 || !labels.every((part) => label.test(part))) return null;
  return /^\d+$/.test(labels.at(-1) ?? "") ? null : name;
}

function mailboxOf(name: string | null, typed: string): Mailbox | null {
  const address = typed.replace(fullWidth, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0));
  const at = address.lastIndexOf("@");
  if (at < 1) return null;
  const local = address.slice(0, at);
  const domain = readMailDomain(address.slice(at + 1));
  if (domain === null || !((atom.test(local) && !unseen.test(local)) || quoted.test(local))) return null;
  const whole = `${local}@${domain}`;
  if (Buffer.byteLength(local) > maxLocalBytes || Buffer.byteLength(whole) > maxBytes) return null;
  return { name, address: whole, local, domain };
}

/** A local machine is a mail domain too, although DNS doesn't have it. */
function readMailDomain(text: string): string | null {
  return text.toLowerCase() === "localhost" ? "localhost" : readDomainName(text);
}

/** undefined: not a name. A name without quotes may not contain anything that would make it two addresses. */
function readName(text: string): string | null | undefined {
  if (text === "") return null;
  if (text.length > maxNameLength) return undefined;
  if (quoted.test(text)) return text.slice(1, -1).replace(/\\(.)/gu, "$1") || null;
  return /["<>,;@\\]/.test(text) ? undefined : text;
}
