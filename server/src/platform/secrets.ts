import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";

/** The full tag: a shorter one would be easier to guess, and Node accepts one by default. */
const authTagLength = 16;

/** The location of a sealed value; opening it anywhere else fails. */
export interface SealPlace {
  table: string;
  column: string;
  row: string;
}

/** The purposes of derived keys. A key of one purpose isn't used for another; a rotation keeps the keys of all of these. */
export const keyPurposes = [
  "sign-in",
  "known device",
  "audit-row",
  "asset address",
  "recording address",
  "call line",
  "verification code",
  "verification check",
  "messaging return path",
  "mail unsubscribe",
  "mail open",
  "mail click",
] as const;
export type KeyPurpose = (typeof keyPurposes)[number];

/**
 * The operator's numbered master keys, 32 bytes each, as one process has them. `current` seals new values. Derived keys come from
 * `signing`, which a rotation doesn't change. A running process changes this object when the operator adds a key or makes another one
 * current.
 */
export interface MasterKeys {
  readonly current: number;
  readonly signing: number;
  readonly keys: ReadonlyMap<number, Buffer>;
  /** Stored derived keys, whose master keys may be gone, by `derivedKeyName`. */
  readonly derived: ReadonlyMap<string, Buffer>;
  /** Leaked master keys: signatures of keys derived from them are no longer valid. */
  readonly revoked: ReadonlySet<number>;
}

/** Reads `1:<64 hex>` entries, separated by commas or lines; the highest number seals. Throws one message with all errors and no key. */
export function readMasterKeys(text: string): MasterKeys {
  const keys = new Map<number, Buffer>();
  const faults: string[] = [];
  const entries = text.split(/[,\n]/).filter((entry) => entry.trim() !== "");
  if (entries.length === 0) faults.push("there is no key in it");
  for (const [index, entry] of entries.entries()) {
    const match = /^\s*(\d{1,6}):([0-9a-fA-F]{64})\s*$/.exec(entry);
    const number = Number(match?.[1] ?? 0);
    if (match === null || number === 0) faults.push(`entry ${index + 1} is not <number>:<64 hexadecimal digits>`);
    else if (keys.has(number)) faults.push(`two keys have the number ${number}`);
    else keys.set(number, Buffer.from(match[2] ?? "", "hex"));
  }
  if (faults.length > 0) throw new Error(faults.join("; "));
  const highest = Math.max(...keys.keys());
  return { current: highest, signing: highest, keys, derived: new Map(), revoked: new Set() };
}

/** Seals with AES-256-GCM, bound to its place: `v1.<key version>.<nonce>.<ciphertext and tag>`, base64url. */
export function seal(keys: MasterKeys, place: SealPlace, plain: Buffer | string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", keyOf(keys, keys.current), nonce, { authTagLength });
  cipher.setAAD(aad(place));
  const body = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  return `v1.${keys.current}.${nonce.toString("base64url")}.${body.toString("base64url")}`;
}

/** Opens a value of `seal`; throws if the value, its place or its key differs. */
export function open(keys: MasterKeys, place: SealPlace, sealed: string): Buffer {
  const [format, version, nonce, body] = sealed.split(".");
  if (format !== "v1" || version === undefined || nonce === undefined || body === undefined) throw new Error("not a sealed value");
  const bytes = Buffer.from(body, "base64url");
  const decipher = createDecipheriv("aes-256-gcm", keyOf(keys, Number(version)), Buffer.from(nonce, "base64url"), { authTagLength });
  decipher.setAAD(aad(place));
  decipher.setAuthTag(bytes.subarray(-authTagLength));
  return Buffer.concat([decipher.update(bytes.subarray(0, -authTagLength)), decipher.final()]);
}

const derived = new WeakMap<Buffer, Map<string, Buffer>>();

/**
 * A key for one purpose, derived from a master key, so that no key has two purposes. The stored one comes first: of a purpose that is newer
 * than the removal of its master key, it's a random one, and a process that still has the master key must use the same.
 */
export function deriveKey(keys: MasterKeys, purpose: KeyPurpose, number: number = keys.signing): Buffer {
  const stored = keys.derived.get(derivedKeyName(number, purpose));
  if (stored !== undefined) return stored;
  const master = keyOf(keys, number);
  const known = derived.get(master) ?? new Map<string, Buffer>();
  derived.set(master, known);
  const key = known.get(purpose) ?? Buffer.from(hkdfSync("sha256", master, "tillpost", purpose, 32));
  known.set(purpose, key);
  return key;
}

/** Master keys with known derived keys of a purpose, the signing one first, then the newest; leaked ones too. */
export function derivedNumbers(keys: MasterKeys, purpose: KeyPurpose): number[] {
  const derived = [...keys.derived.keys()].filter((name) => name.endsWith(` ${purpose}`)).map((name) => Number.parseInt(name, 10));
  const numbers = [...new Set([...keys.keys.keys(), ...derived])].sort((left, right) => right - left);
  return [...numbers.filter((number) => number === keys.signing), ...numbers.filter((number) => number !== keys.signing)];
}

/** Whether signatures of keys derived from this master key are still valid. */
export function isTrusted(keys: MasterKeys, purpose: KeyPurpose, number: number): boolean {
  return !keys.revoked.has(number) && (keys.keys.has(number) || keys.derived.has(derivedKeyName(number, purpose)));
}

/** Those of `derivedNumbers` whose signatures are still valid. */
export function trustedNumbers(keys: MasterKeys, purpose: KeyPurpose): number[] {
  return derivedNumbers(keys, purpose).filter((number) => isTrusted(keys, purpose, number));
}

/** The keys of one purpose in the form of master keys, for values that must open after their master key is gone. */
export function purposeKeys(keys: MasterKeys, purpose: KeyPurpose): MasterKeys {
  return {
    ...keys,
    current: keys.signing,
    keys: new Map(trustedNumbers(keys, purpose).map((number) => [number, deriveKey(keys, purpose, number)])),
    derived: new Map(),
  };
}

/** The name of a stored derived key. */
export function derivedKeyName(number: number, purpose: string): string {
  return `${number} ${purpose}`;
}

/** HMAC-SHA256 as base64url. */
export function macOf(key: Uint8Array, text: string): string {
  return createHmac("sha256", key).update(text).digest("base64url");
}

/** Compares in constant time; texts of different lengths are unequal. */
export function equalSecret(left: string, right: string): boolean {
  const a = Buffer.from(left);
  const b = Buffer.from(right);
  return a.length === b.length && timingSafeEqual(a, b);
}

function keyOf(keys: MasterKeys, version: number): Buffer {
  const key = keys.keys.get(version);
  if (key === undefined) throw new Error(`master key ${version} is not configured`);
  return key;
}

function aad(place: SealPlace): Buffer {
  return Buffer.from(`${place.table}|${place.column}|${place.row}`);
}
