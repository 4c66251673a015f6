import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { base62Alphabet, randomBase62 } from "#platform/index.ts";

const keyLength = 45;
const shape = /^svc_(?:test|live)_[0-9A-Za-z]{36}$/;

/** A new key's text: environment prefix, 30 random characters, 6 of checksum. */
export function makeKeyText(livemode: boolean): string {
  const body = `${livemode ? "svc_live_" : "svc_test_"}${randomBase62(30)}`;
  return body + checksumOf(body);
}

/** True if prefix, length and checksum are valid: only then is a lookup worth its cost. */
export function isKeyText(text: string): boolean {
  return text.length === keyLength && shape.test(text) && checksumOf(text.slice(0, 39)) === text.slice(39);
}

/** Explains why a text isn't an API key, based on its form only, so that it reveals nothing about existing keys. */
export function keyFault(text: string): string {
  const prefixes = "API keys start with svc_test_ or svc_live_.";
  if (text === "") return `The API key is empty. ${prefixes}`;
  if (text.startsWith("whsec_")) return `This is the signing secret of a webhook endpoint, not an API key. ${prefixes}`;
  if (/^pl_(?:test|live)_/.test(text)) return `This is the token of a payment link, not an API key. ${prefixes}`;
  if (/^(?:key|prj|mer)_[0-9a-z]{26}$/.test(text)) return `This is an ID, not the key itself. ${prefixes}`;
  if (!/^svc_(?:test|live)_/.test(text)) return `This isn't an API key of this service. ${prefixes}`;
  if (text.length !== keyLength) return `This API key has ${text.length} characters, but a complete key has ${keyLength}. Copy it again.`;
  return "This API key has a typo: its checksum doesn't match. Copy it again.";
}

/** The hash of a key that the database stores. A fast hash is enough for 178 random bits. */
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
