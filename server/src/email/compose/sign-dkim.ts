import { createHash, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { promisify } from "node:util";
import type { DkimKey } from "../domain/dkim-key.ts";

/** Headers that a signature covers, if a message has them. */
const covered = [
  "from",
  "to",
  "cc",
  "reply-to",
  "subject",
  "date",
  "message-id",
  "in-reply-to",
  "references",
  "mime-version",
  "content-type",
  "content-transfer-encoding",
  "list-id",
  "list-help",
  "list-subscribe",
  "list-post",
  "list-owner",
  "list-archive",
  "list-unsubscribe",
  "list-unsubscribe-post",
  "feedback-id",
];
/** Signed once more than they occur, so that no second one can be added before them. */
const sealed = new Set(["from", "to", "cc", "reply-to", "subject", "date", "message-id", "content-type"]);
/** A message that has one of these may only be sent if its signature covers it. */
const needed = ["from", "subject", "date", "message-id", "list-unsubscribe", "list-unsubscribe-post"];

const cr = 13;
const lf = 10;
const space = 32;
const tab = 9;
const inThreadPool = promisify(sign) as (algorithm: string, data: Buffer, key: KeyObject) => Promise<Buffer>;
const publicKeys = new WeakMap<KeyObject, KeyObject>();

interface HeaderField {
  name: string;
  line: string;
}

/**
 * Prepends a DKIM-Signature to a whole message (relaxed/relaxed, rsa-sha256). Signing runs in the thread pool, so that many messages are
 * signed at once and none blocks the process. Throws instead of returning a message without a valid signature.
 */
export async function signDkim(message: Buffer, { domain, selector, key }: DkimKey, at: Date): Promise<Buffer> {
  const end = message.indexOf("\r\n\r\n");
  if (end < 0) throw new Error("a message without an end of its headers cannot be signed");
  const fields = readHeaderFields(message.toString("utf8", 0, end));
  const names = signedNames(fields);
  const bodyHash = createHash("sha256")
    .update(relaxedBody(message.subarray(end + 4)))
    .digest("base64");
  const tags = [
    `v=1; a=rsa-sha256; c=relaxed/relaxed; d=${domain};`,
    `s=${selector}; t=${Math.floor(at.getTime() / 1000)};`,
    `h=${names
      .join(":")
      .replace(/(.{1,66})(:|$)/g, "$1$2\r\n ")
      .trim()};`,
    `bh=${bodyHash};`,
    "b=",
  ];
  const unsigned: HeaderField = { name: "dkim-signature", line: `DKIM-Signature: ${tags.join("\r\n ")}` };
  const data = Buffer.from([...pick(fields, names), unsigned].map(relaxedHeader).join("\r\n"));
  const signature = await inThreadPool("sha256", data, key);
  assertSigned({ fields, names, data, signature, key });
  const text = signature.toString("base64").replace(/(.{1,72})/g, "\r\n  $1");
  return Buffer.concat([Buffer.from(`${unsigned.line}${text}\r\n`), message]);
}

/** A wrong or missing signature would only show at receivers, days later, so each one is verified before its message may be sent. */
function assertSigned(made: { fields: HeaderField[]; names: string[]; data: Buffer; signature: Buffer; key: KeyObject }): void {
  const present = new Set(made.fields.map((field) => field.name));
  const open = needed.find((name) => present.has(name) && !made.names.includes(name));
  if (open !== undefined) throw new Error(`the DKIM signature leaves out ${open}`);
  const publicKey = publicKeys.get(made.key) ?? createPublicKey(made.key);
  publicKeys.set(made.key, publicKey);
  if (!verify("sha256", made.data, publicKey, made.signature)) throw new Error("the DKIM signature does not verify");
}

function readHeaderFields(text: string): HeaderField[] {
  return text.split(/\r\n(?![ \t])/).map((line) => ({ name: line.slice(0, line.indexOf(":")).trim().toLowerCase(), line }));
}

function signedNames(fields: HeaderField[]): string[] {
  return covered.flatMap((name) => {
    const times = fields.filter((field) => field.name === name).length;
    return Array.from({ length: times === 0 && !sealed.has(name) ? 0 : times + (sealed.has(name) ? 1 : 0) }, () => name);
  });
}

/** Fields in the order of their names, repeated names from the bottom up; a name without a remaining field adds nothing. */
function pick(fields: HeaderField[], names: string[]): HeaderField[] {
  const left = new Map<string, HeaderField[]>();
  for (const field of fields) left.set(field.name, [...(left.get(field.name) ?? []), field]);
  return names.flatMap((name) => left.get(name)?.pop() ?? []);
}

function relaxedHeader({ name, line }: HeaderField): string {
  const value = line.slice(line.indexOf(":") + 1);
  return `${name}:${value
    .replace(/\r\n/g, "")
    .replace(/[ \t]+/g, " ")
    .trim()}`;
}

/**
 * RFC 6376 §3.4.4: reduces runs of white space to one space, removes it at line ends, and removes empty lines at the end. Works in portions
 * of whole lines; portions that need no change, such as most of an attachment, are only scanned.
 */
export function relaxedBody(body: Buffer, portionBytes = 65_536): Buffer {
  const portions: Buffer[] = [];
  for (let from = 0; from < body.length; ) {
    const end = body.indexOf("\r\n", from + portionBytes);
    const portion = body.subarray(from, end < 0 ? body.length : end + 2);
    portions.push(isRelaxed(portion) ? portion : relax(portion));
    from += portion.length;
  }
  const whole = portions.length === 1 ? (portions[0] as Buffer) : Buffer.concat(portions);
  let length = whole.length;
  while (length >= 2 && whole[length - 2] === cr && whole[length - 1] === lf) length -= 2;
  return length === 0 ? Buffer.alloc(0) : Buffer.concat([whole.subarray(0, length), Buffer.from("\r\n")]);
}

function isRelaxed(lines: Buffer): boolean {
  return !lines.includes("\t") && !lines.includes("  ") && !lines.includes(" \r\n") && lines[lines.length - 1] !== space;
}

function relax(lines: Buffer): Buffer {
  const out = Buffer.allocUnsafe(lines.length);
  let length = 0;
  let blank = false;
  for (let at = 0; at < lines.length; at += 1) {
    const byte = lines[at] as number;
    if (byte === space || byte === tab) {
      blank = true;
      continue;
    }
    if (blank && !(byte === cr && lines[at + 1] === lf)) out[length++] = space;
    blank = false;
    out[length++] = byte;
  }
  return out.subarray(0, length);
}
