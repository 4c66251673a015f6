import { deriveKey, equalSecret, type MasterKeys, macOf } from "#platform/index.ts";

/** What a token is for; a token of one purpose is none of another. */
export type TokenPurpose = "unsubscribe" | "open" | "click";

/** 128 bits of the MAC. Links stay good when the operator's key is changed, as long as the old one is kept. */
const macLength = 22;
const longest = 12_000;
const derived = new WeakMap<MasterKeys, Map<string, Buffer>>();

/** What signs tokens of one purpose and nothing else. */
export interface TokenKey {
  version: number;
  key: Uint8Array;
}

/** Texts with a signature, for an address that strangers will call: `<key version>.<texts>.<mac>`. No text may hold a line break. */
export function signToken(keys: MasterKeys, purpose: TokenPurpose, parts: readonly string[]): string {
  return signTokenWith(tokenKeyOf(keys, purpose), parts);
}

/** As `signToken`, where the master keys are not at hand. */
export function signTokenWith({ version, key }: TokenKey, parts: readonly string[]): string {
  const signed = `${version}.${Buffer.from(parts.join("\n")).toString("base64url")}`;
  return `${signed}.${macOf(key, signed).slice(0, macLength)}`;
}

/** The key that signs tokens of a purpose now. */
export function tokenKeyOf(keys: MasterKeys, purpose: TokenPurpose, version = keys.current): TokenKey {
  const known = derived.get(keys) ?? new Map<string, Buffer>();
  derived.set(keys, known);
  const name = `${version} ${purpose}`;
  const key = known.get(name) ?? deriveKey({ keys: keys.keys, current: version }, `mail ${purpose}`);
  known.set(name, key);
  return { version, key };
}

/** The texts of a token, or null when it was not made here, or not for this. Nothing is looked up. */
export function readToken(keys: MasterKeys, purpose: TokenPurpose, token: string): string[] | null {
  if (token.length > longest) return null;
  const [version = "", body, mac, rest] = token.split(".");
  if (body === undefined || mac === undefined || rest !== undefined || !/^\d{1,6}$/.test(version) || !keys.keys.has(Number(version))) return null;
  const { key } = tokenKeyOf(keys, purpose, Number(version));
  if (!equalSecret(mac, macOf(key, `${version}.${body}`).slice(0, macLength))) return null;
  return Buffer.from(body, "base64url").toString("utf8").split("\n");
}
