import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { base62Alphabet, randomBase62 } from "#platform/index.ts";

const shape = /^svc_(?:test|live)_[0-9A-Za-z]{36}$/;

/** A new key's text: environment prefix, 30 random characters, 6 of checksum. */
export function makeKeyText(livemode: boolean): string {
  const body = `${livemode ? "svc_live_" : "svc_test_"}${randomBase62(30)}`;
  return body + checksumOf(body);
}

/** True when prefix, length and checksum fit: only then is a look-up worth its cost. */
export function isKeyText(text: string): boolean {
  return text.length === 45 && shape.test(text) && checksumOf(text.slice(0, 39)) === text.slice(39);
}

/** What the database keeps in place of a key. A fast hash is enough for 178 random bits. */
export function hashKeyText(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function checksumOf(body: string): string {
  let rest = crc32(body);
  let text = "";
  for (let index = 0; index < 6; index += 1) {
    text = base62Alphabet.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}
