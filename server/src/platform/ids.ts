import { randomFillSync } from "node:crypto";

/** Type prefixes of public ids. */
export type IdPrefix =
  | "mer"
  | "prj"
  | "usr"
  | "mem"
  | "inv"
  | "key"
  | "ord"
  | "lnk"
  | "ps"
  | "vch"
  | "rcp"
  | "exc"
  | "rf"
  | "gp"
  | "gc"
  | "cp"
  | "ast"
  | "txn"
  | "wal"
  | "we"
  | "evt"
  | "dlv"
  | "wat"
  | "em"
  | "sms"
  | "call"
  | "bat"
  | "dom"
  | "sup"
  | "rec"
  | "aud"
  | "req";

const crockford = "0123456789abcdefghjkmnpqrstvwxyz";
const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const pool = Buffer.alloc(8192);
const uuid = Buffer.alloc(18);
let used = pool.length;
let lastMs = 0;
let counter = 0;

/**
 * A new public id: prefix, underscore, 26 characters Crockford base32 of a UUIDv7.
 * Ids of one process are strictly increasing: the 12 bits after the time count within a millisecond.
 */
export function newId(prefix: IdPrefix, atMs: number = Date.now()): string {
  if (atMs > lastMs) {
    lastMs = atMs;
    counter = random16() & 0x3ff;
  } else {
    counter += 1;
    if (counter > 0xfff) {
      lastMs += 1;
      counter = 0;
    }
  }
  return `${prefix}_${base32(lastMs, counter)}`;
}

/** JSON Schema pattern of ids with this prefix. */
export function idPattern(prefix: IdPrefix): string {
  return `^${prefix}_[0-9a-hjkmnp-tv-z]{26}$`;
}

/** `length` characters of uniform base62 from the system's random source. */
export function randomBase62(length: number): string {
  let text = "";
  while (text.length < length) {
    const byte = randomByte();
    if (byte < 248) text += base62[byte % 62];
  }
  return text;
}

export { base62 as base62Alphabet };

/**
 * The UUID's 128 bits in groups of five, the first of three: 48 of time, version 7, 12 counted, variant 2, 62 random.
 * One byte stands before them and one behind, so that every group lies within two bytes.
 */
function base32(atMs: number, count: number): string {
  uuid.writeUIntBE(atMs, 1, 6);
  uuid.writeUInt16BE(0x7000 | count, 7);
  for (let index = 9; index < 17; index += 1) uuid[index] = randomByte();
  uuid[9] = ((uuid[9] as number) & 0x3f) | 0x80;
  let text = "";
  for (let bit = 6; bit < 136; bit += 5) {
    const at = bit >> 3;
    const pair = ((uuid[at] as number) << 8) | (uuid[at + 1] as number);
    text += crockford[(pair >> (11 - (bit & 7))) & 31];
  }
  return text;
}

function randomByte(): number {
  refill(1);
  used += 1;
  return pool[used - 1] as number;
}

function random16(): number {
  refill(2);
  used += 2;
  return pool.readUInt16LE(used - 2);
}

function refill(bytes: number): void {
  if (used + bytes <= pool.length) return;
  randomFillSync(pool);
  used = 0;
}
