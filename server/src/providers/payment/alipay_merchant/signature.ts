import { constants, createHash, type KeyObject, sign, verify, X509Certificate } from "node:crypto";
import { readBase64 } from "#platform/index.ts";

/**
 * The text that a signature covers: every parameter except `sign`, sorted by code unit, with unencoded values. Empty values of a request
 * are omitted.
 */
export function requestContent(params: Readonly<Record<string, string>>): string {
  return contentOf(Object.entries(params).filter(([name, value]) => name !== "sign" && value !== ""));
}

/** As for a request, but `sign_type` is omitted and empty values are included. */
export function callbackContent(params: ReadonlyMap<string, string>): string {
  return contentOf([...params].filter(([name]) => name !== "sign" && name !== "sign_type"));
}

function contentOf(entries: readonly (readonly [string, string])[]): string {
  return [...entries]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
}

/** RSA2: RSA PKCS #1 v1.5 over SHA-256, in base64. */
export function signContent(content: string, key: KeyObject): string {
  return sign("sha256", Buffer.from(content), { key, padding: constants.RSA_PKCS1_PADDING }).toString("base64");
}

/** Verifies a signature. Accepts only its canonical base64 form. */
export function isSignedBy(content: string, signature: string, key: KeyObject): boolean {
  const bytes = signature.length > 2_000 ? null : readBase64(signature);
  if (bytes === null || bytes.toString("base64") !== signature) return false;
  return verify("sha256", Buffer.from(content), { key, padding: constants.RSA_PKCS1_PADDING }, bytes);
}

/** The gateway's name for a certificate: the MD5 of its issuer, last part first, and its serial number in decimal. */
export function certificateSn(certificate: X509Certificate): string {
  const issuer = certificate.issuer.split("\n").reverse().join(",");
  return createHash("md5")
    .update(`${issuer}${BigInt(`0x${certificate.serialNumber}`)}`)
    .digest("hex");
}

/** The names of the root certificates that are signed with RSA, joined by `_`; the bundle also has others, for other algorithms. */
export function rootCertificatesSn(certificates: readonly X509Certificate[]): string {
  return certificates
    .filter(({ signatureAlgorithmOid }) => signatureAlgorithmOid?.startsWith("1.2.840.113549.1.1.") ?? false)
    .map(certificateSn)
    .join("_");
}

const begin = "-----BEGIN CERTIFICATE-----";
const end = "-----END CERTIFICATE-----";

/** The certificates of a PEM text, in order; null if one of them can't be read. */
export function readCertificates(text: string): X509Certificate[] | null {
  const found: X509Certificate[] = [];
  for (let at = text.indexOf(begin); at >= 0; at = text.indexOf(begin, at + begin.length)) {
    const until = text.indexOf(end, at);
    if (until < 0 || found.length === 20) return null;
    try {
      found.push(new X509Certificate(text.slice(at, until + end.length)));
    } catch {
      return null;
    }
  }
  return found;
}

/**
 * Returns the exact text of a member of a JSON object, as it's signed; null if the object doesn't have exactly one of that name. Doesn't
 * serialize it again: the gateway signs its own formatting of numbers, slashes and spaces.
 */
export function memberText(json: string, name: string): string | null {
  const places: string[] = [];
  let depth = 0;
  let key: string | null = null;
  let start = -1;
  for (let at = 0; at < json.length; at += 1) {
    const letter = json.charAt(at);
    if (letter === '"') {
      const close = endOfString(json, at);
      if (depth === 1 && start < 0) key = json.slice(at + 1, close);
      at = close;
    } else if (letter === "{" || letter === "[") {
      depth += 1;
    } else if (letter === ":" && depth === 1 && start < 0) {
      start = at + 1;
    } else if (letter === "," && depth === 1) {
      if (key === name) places.push(json.slice(start, at));
      start = -1;
    } else if (letter === "}" || letter === "]") {
      depth -= 1;
      if (depth === 0 && key === name) places.push(json.slice(start, at));
    }
  }
  return places.length === 1 ? (places[0]?.trim() ?? null) : null;
}

function endOfString(json: string, open: number): number {
  let at = open + 1;
  while (at < json.length && json.charAt(at) !== '"') at += json.charAt(at) === "\\" ? 2 : 1;
  return at;
}
