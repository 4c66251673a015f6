import { randomBytes, randomFillSync } from "node:crypto";

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
  const high = BigInt(lastMs) * 0x10000n + BigInt(0x7000 | counter);
  const low = (BigInt(random32()) * 0x100000000n + BigInt(random32())) & 0x3fffffffffffffffn;
  return `${prefix}_${base32((high << 64n) | low | 0x8000000000000000n)}`;
}

/** JSON Schema pattern of ids with this prefix. */
export function idPattern(prefix: IdPrefix): string {
  return `^${prefix}_[0-9a-hjkmnp-tv-z]{26}$`;
}

/** `length` characters of uniform base62 from the system's random source. */
export function randomBase62(length: number): string {
  let text = "";
  while (text.length < length) {
    for (const byte of randomBytes(length + 8)) {
      if (byte < 248 && text.length < length) text += base62[byte % 62];
    }
  }
  return text;
}

export { base62 as base62Alphabet };

function base32(value: bigint): string {
  let rest = value;
  let text = "";
  for (let index = 0; index < 26; index += 1) {
    text = crockford[Number(rest & 31n)] + text;
    rest >>= 5n;
  }
  return text;
}

function random16(): number {
  refill(2);
  used += 2;
  return pool.readUInt16LE(used - 2);
}

function random32(): number {
  refill(4);
  used += 4;
  return pool.readUInt32LE(used - 4);
}

function refill(bytes: number): void {
  if (used + bytes <= pool.length) return;
  randomFillSync(pool);
  used = 0;
}
