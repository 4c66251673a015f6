import { randomFillSync } from "node:crypto";

/** Type prefixes of public ids. */
export type IdPrefix =
  | "mer"
  | "prj"
  | "usr"
  | "ses"
  | "pky"
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
  | "dsp"
  | "gp"
  | "gcb"
  | "gst"
  | "gc"
  | "gat"
  | "cp"
  | "ask"
  | "set"
  | "imp"
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
  | "num"
  | "pau"
  | "ver"
  | "rec"
  | "aud"
  | "req";

const crockfordCodes = Buffer.from("0123456789abcdefghjkmnpqrstvwxyz");
const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const base62Codes = Buffer.from(base62);
const underscore = 0x5f;
const text = Buffer.alloc(64);
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
  return writeId(prefix, lastMs, counter);
}

/** JSON Schema pattern of ids with this prefix. */
export function idPattern(prefix: IdPrefix): string {
  return `^${prefix}_[0-9a-hjkmnp-tv-z]{26}$`;
}

/** `length` characters of uniform base62 from the system's random source, at most 64 of them. */
export function randomBase62(length: number): string {
  let at = 0;
  while (at < length) {
    const byte = randomByte();
    if (byte < 248) text[at++] = base62Codes[byte % 62] as number;
  }
  return text.toString("latin1", 0, length);
}

export { base62 as base62Alphabet };

/**
 * The UUID's 128 bits in groups of five, the first of three: 48 of time, version 7, 12 counted, variant 2, 62 random. There is one byte
 * before and one after them, so that every group is within two bytes. Uses a preallocated buffer, because ids are created often.
 */
function writeId(prefix: string, atMs: number, count: number): string {
  uuid.writeUIntBE(atMs, 1, 6);
  uuid.writeUInt16BE(0x7000 | count, 7);
  for (let index = 9; index < 17; index += 1) uuid[index] = randomByte();
  uuid[9] = ((uuid[9] as number) & 0x3f) | 0x80;
  let at = text.write(prefix, 0, "latin1");
  text[at++] = underscore;
  for (let bit = 6; bit < 136; bit += 5) {
    const byte = bit >> 3;
    const pair = ((uuid[byte] as number) << 8) | (uuid[byte + 1] as number);
    text[at++] = crockfordCodes[(pair >> (11 - (bit & 7))) & 31] as number;
  }
  return text.toString("latin1", 0, at);
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
