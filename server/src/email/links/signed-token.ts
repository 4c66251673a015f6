import { deriveKey, equalSecret, isTrusted, type MasterKeys, macOf } from "#platform/index.ts";

/** What a token is for; a token for one purpose isn't valid for another. */
export type TokenPurpose = "unsubscribe" | "open" | "click";

/** 128 bits of the MAC. Links stay valid when the operator's key changes: the key that signed them is retained. */
const macLength = 22;
const longest = 12_000;

/** A key that only signs tokens of one purpose. */
export interface TokenKey {
  version: number;
  key: Uint8Array;
}

/** Texts with a signature, for a public address: `<key version>.<texts>.<mac>`. Texts can't contain line breaks. */
export function signToken(keys: MasterKeys, purpose: TokenPurpose, parts: readonly string[]): string {
  return signTokenWith(tokenKeyOf(keys, purpose), parts);
}

/** Like `signToken`, where the master keys aren't available. */
export function signTokenWith({ version, key }: TokenKey, parts: readonly string[]): string {
  const signed = `${version}.${Buffer.from(parts.join("\n")).toString("base64url")}`;
  return `${signed}.${macOf(key, signed).slice(0, macLength)}`;
}

/** The key that currently signs tokens of a purpose. */
export function tokenKeyOf(keys: MasterKeys, purpose: TokenPurpose, version = keys.signing): TokenKey {
  return { version, key: deriveKey(keys, `mail ${purpose}`, version) };
}

/** The texts of a token, or null if it wasn't made here or not for this purpose. Queries nothing. */
export function readToken(keys: MasterKeys, purpose: TokenPurpose, token: string): string[] | null {
  if (token.length > longest) return null;
  const [version = "", body, mac, rest] = token.split(".");
  if (body === undefined || mac === undefined || rest !== undefined || !/^\d{1,6}$/.test(version)) return null;
  if (!isTrusted(keys, `mail ${purpose}`, Number(version))) return null;
  const { key } = tokenKeyOf(keys, purpose, Number(version));
  if (!equalSecret(mac, macOf(key, `${version}.${body}`).slice(0, macLength))) return null;
  return Buffer.from(body, "base64url").toString("utf8").split("\n");
}
