import { deriveKey, equalSecret, isTrusted, type MasterKeys, macOf } from "#platform/index.ts";

/** What a token is for; a token of one purpose is none of another. */
export type TokenPurpose = "unsubscribe" | "open" | "click";

/** 128 bits of the MAC. Links stay good when the operator's key is changed: the key that signed them is kept. */
const macLength = 22;
const longest = 12_000;

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
export function tokenKeyOf(keys: MasterKeys, purpose: TokenPurpose, version = keys.signing): TokenKey {
  return { version, key: deriveKey(keys, `mail ${purpose}`, version) };
}

/** The texts of a token, or null when it was not made here, or not for this. Nothing is looked up. */
export function readToken(keys: MasterKeys, purpose: TokenPurpose, token: string): string[] | null {
  if (token.length > longest) return null;
  const [version = "", body, mac, rest] = token.split(".");
  if (body === undefined || mac === undefined || rest !== undefined || !/^\d{1,6}$/.test(version)) return null;
  if (!isTrusted(keys, `mail ${purpose}`, Number(version))) return null;
  const { key } = tokenKeyOf(keys, purpose, Number(version));
  if (!equalSecret(mac, macOf(key, `${version}.${body}`).slice(0, macLength))) return null;
  return Buffer.from(body, "base64url").toString("utf8").split("\n");
}
