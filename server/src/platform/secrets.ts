import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";

/** The whole tag: a shorter one would be easier to guess, and Node takes one unless told. */
const authTagLength = 16;

/** Where a sealed value lives; opening it anywhere else fails. */
export interface SealPlace {
  table: string;
  column: string;
  row: string;
}

/** The operator's versioned master keys, 32 bytes each; `current` seals new values. */
export interface MasterKeys {
  current: number;
  keys: ReadonlyMap<number, Buffer>;
}

/** Reads `1:<64 hex>` entries, comma-separated; the highest version is current. Throws a sentence for people. */
export function readMasterKeys(text: string): MasterKeys {
  const keys = new Map<number, Buffer>();
  for (const entry of text.split(",")) {
    const match = /^\s*(\d{1,6}):([0-9a-fA-F]{64})\s*$/.exec(entry);
    if (match === null) throw new Error("a master key is <version>:<64 hexadecimal digits>");
    if (keys.has(Number(match[1]))) throw new Error(`two keys have the version ${Number(match[1])}`);
    keys.set(Number(match[1]), Buffer.from(match[2] ?? "", "hex"));
  }
  return { current: Math.max(...keys.keys()), keys };
}

/** Seals with AES-256-GCM, bound to its place: `v1.<key version>.<nonce>.<ciphertext and tag>`, base64url. */
export function seal(keys: MasterKeys, place: SealPlace, plain: Buffer | string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", keyOf(keys, keys.current), nonce, { authTagLength });
  cipher.setAAD(aad(place));
  const body = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  return `v1.${keys.current}.${nonce.toString("base64url")}.${body.toString("base64url")}`;
}

/** Opens what `seal` made; throws when the value, its place or its key is another. */
export function open(keys: MasterKeys, place: SealPlace, sealed: string): Buffer {
  const [format, version, nonce, body] = sealed.split(".");
  if (format !== "v1" || version === undefined || nonce === undefined || body === undefined) throw new Error("not a sealed value");
  const bytes = Buffer.from(body, "base64url");
  const decipher = createDecipheriv("aes-256-gcm", keyOf(keys, Number(version)), Buffer.from(nonce, "base64url"), { authTagLength });
  decipher.setAAD(aad(place));
  decipher.setAuthTag(bytes.subarray(-authTagLength));
  return Buffer.concat([decipher.update(bytes.subarray(0, -authTagLength)), decipher.final()]);
}

/** A key for one purpose, derived from the current master key, so that no key serves two ends. */
export function deriveKey(keys: MasterKeys, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", keyOf(keys, keys.current), "tillpost", purpose, 32));
}

/** HMAC-SHA256 as base64url. */
export function macOf(key: Uint8Array, text: string): string {
  return createHmac("sha256", key).update(text).digest("base64url");
}

/** Compares in constant time; texts of other lengths are unequal. */
export function equalSecret(left: string, right: string): boolean {
  const a = Buffer.from(left);
  const b = Buffer.from(right);
  return a.length === b.length && timingSafeEqual(a, b);
}

function keyOf(keys: MasterKeys, version: number): Buffer {
  const key = keys.keys.get(version);
  if (key === undefined) throw new Error(`master key version ${version} is not configured`);
  return key;
}

function aad(place: SealPlace): Buffer {
  return Buffer.from(`${place.table}|${place.column}|${place.row}`);
}
