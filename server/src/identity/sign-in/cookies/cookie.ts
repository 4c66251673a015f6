import { createHmac } from "node:crypto";
import { derivedNumbers, deriveKey, equalSecret, type MasterKeys } from "#platform/index.ts";

/** Secrets of the sign-in library, one for each master key, the signing one first: what another one encrypted can still be read. */
export function signInSecrets(keys: MasterKeys): { version: number; value: string }[] {
  return derivedNumbers(keys, "sign-in").map((version) => ({ version, value: deriveKey(keys, "sign-in", version).toString("hex") }));
}

/** Browsers bind cookies with the prefix `__Host-` to this exact host, over https and from localhost. */
export function cookiePrefixOf(publicUrl: string): { prefix: string; isSecure: boolean } {
  const { protocol, hostname } = new URL(publicUrl);
  const isSecure = protocol === "https:" || hostname === "localhost" || hostname.endsWith(".localhost");
  return { prefix: isSecure ? "__Host-tillpost" : "tillpost", isSecure };
}

/** Finds the session's token in a Cookie header; null without one, or if its signature is invalid. */
export function createTokenReader(given: {
  publicUrl: string;
  masterKeys: MasterKeys;
}): (cookieHeader: string | undefined) => string | null {
  const name = `${cookiePrefixOf(given.publicUrl).prefix}.session_token=`;
  return (header) => {
    const found = header?.split(/;\s*/).find((part) => part.startsWith(name));
    if (found === undefined) return null;
    const [token, signature] = split(found.slice(name.length));
    const secret = deriveKey(given.masterKeys, "sign-in").toString("hex");
    return signature !== "" && equalSecret(signature, createHmac("sha256", secret).update(token).digest("base64")) ? token : null;
  };
}

/** The longest session, however much it is used, in days. */
export const longestDays = 30;

/** How long a session lasts whose cookie ends with the browser, such as on a shared computer. Use doesn't extend it. */
export const briefMs = 86_400_000;

/** Whether a session isn't to be remembered: only what its person chose at sign-in makes one this short. */
export function isBrief({ created_at, expires_at }: { created_at: Date; expires_at: Date }): boolean {
  return expires_at.getTime() - created_at.getTime() <= briefMs;
}

/**
 * A Set-Cookie header of the sign-in library, with the session's cookie kept for as long as any session lasts, or until the browser closes
 * if the session follows one that isn't to be remembered. The library would have it end after the days that the session lasts unused, while
 * use only extends the session's row.
 */
export function keepCookie(setCookie: string, { publicUrl, staysBrief }: { publicUrl: string; staysBrief: boolean }): string {
  if (!setCookie.startsWith(`${cookiePrefixOf(publicUrl).prefix}.session_token=`)) return setCookie;
  return setCookie.replace(/; Max-Age=[1-9]\d*/i, staysBrief ? "" : `; Max-Age=${longestDays * 86_400}`);
}

function split(cookie: string): [token: string, signature: string] {
  let text: string;
  try {
    text = decodeURIComponent(cookie);
  } catch {
    return ["", ""];
  }
  const dot = text.lastIndexOf(".");
  return dot < 1 ? ["", ""] : [text.slice(0, dot), text.slice(dot + 1)];
}
