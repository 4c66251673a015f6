import { createHash, createHmac } from "node:crypto";
import type { CarrierRequest } from "#messaging/index.ts";
import { equalSecret } from "#platform/index.ts";
import type { CarrierAccount } from "./read-accounts.ts";

/** The content of a callback whose signature was verified. */
export interface Believed {
  ok: true;
  /** Fields of a form. */
  fields: ReadonlyMap<string, string>;
  /** The query of the address, signed like everything else. */
  query: URLSearchParams;
  /** The JSON body; undefined without one. */
  json: unknown;
}

export type Verdict = Believed | { ok: false; reason: "signature" | "malformed" };

type Pair = readonly [name: string, value: string];

const header = "x-twilio-signature";
/** HMAC-SHA1 in base64. */
const signatureLength = 28;
const formType = /^application\/x-www-form-urlencoded\s*(;|$)/i;
const jsonType = /^application\/json\s*(;|$)/i;

/**
 * Verifies that the account's carrier sent this: HMAC-SHA1, under the account's key, over the requested address and the form fields sorted
 * by name. A body that isn't a form is covered by its hash in the address.
 */
export function verifyCallback({ signingKey }: Pick<CarrierAccount, "signingKey">, publicUrl: string, request: CarrierRequest): Verdict {
  const url = `${publicUrl}${request.url}`;
  // A request with a full address instead of a path makes this invalid.
  const query = URL.parse(url)?.searchParams;
  const given = request.headers[header] ?? "";
  if (query === undefined || given.length !== signatureLength) return { ok: false, reason: "signature" };
  const hash = query.get("bodySHA256");
  const isForm = formType.test(request.headers["content-type"] ?? "");
  const text = textOf(request.body);
  if (text === null) return { ok: false, reason: "malformed" };
  const pairs: Pair[] = isForm ? [...new URLSearchParams(text)] : [];
  if (hash === null && !isForm && request.body.length > 0) return { ok: false, reason: "signature" };
  const isWhole = hash === null || equalSecret(hash.toLowerCase(), createHash("sha256").update(request.body).digest("hex"));
  const signed = hash === null ? pairs : [];
  const isSigned = spellingsOf(url).map((one) => equalSecret(given, signatureOf(signingKey, one, signed)));
  if (!isWhole || !isSigned.includes(true)) return { ok: false, reason: "signature" };
  return read(pairs, { query, text, isJson: jsonType.test(request.headers["content-type"] ?? "") });
}

function read(pairs: readonly Pair[], { query, text, isJson }: { query: URLSearchParams; text: string; isJson: boolean }): Verdict {
  const fields = new Map(pairs);
  // Choosing one of two values would be a guess.
  if (pairs.some(([name, value]) => fields.get(name) !== value) || new Set(query.keys()).size < query.size)
    return { ok: false, reason: "malformed" };
  try {
    return { ok: true, fields, query, json: isJson && text !== "" ? JSON.parse(text) : undefined };
  } catch {
    return { ok: false, reason: "malformed" };
  }
}

function textOf(body: Buffer): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    return null;
  }
}

/** A name that occurs several times counts once with each distinct value, in sorted order. */
function signatureOf(key: string, url: string, pairs: readonly Pair[]): string {
  const named = new Map<string, Set<string>>();
  for (const [name, value] of pairs) named.set(name, (named.get(name) ?? new Set()).add(value));
  const parts = [...named.keys()]
    .toSorted(byUnits)
    .flatMap((name) => [...(named.get(name) ?? [])].toSorted(byUnits).map((value) => `${name}${value}`));
  return createHmac("sha1", key)
    .update(`${url}${parts.join("")}`, "utf8")
    .digest("base64");
}

function byUnits(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Some signers omit the port, and some include the default port. */
function spellingsOf(url: string): string[] {
  const [, scheme = "", host = "", port, rest = ""] = /^(https?):\/\/([^/?#]*?)(?::(\d+))?(?=[/?#]|$)(.*)$/s.exec(url) ?? [];
  if (host === "") return [url];
  const named = port ?? (scheme === "https" ? "443" : "80");
  return [...new Set([url, `${scheme}://${host}:${named}${rest}`, `${scheme}://${host}${rest}`])];
}
