import { constants, createHash, type KeyObject, sign, verify, X509Certificate } from "node:crypto";
import { readBase64 } from "#platform/index.ts";

/** What a signature covers: every parameter but `sign`, sorted by code unit, values as they are before any encoding. Empty values of a request are left out. */
export function requestContent(params: Readonly<Record<string, string>>): string {
  return contentOf(Object.entries(params).filter(([name, value]) => name !== "sign" && value !== ""));
}

/** As for a request, but `sign_type` is left out and empty values stay. */
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

/** Whether a signature is this key's. Only its one canonical spelling in base64 counts. */
export function isSignedBy(content: string, signature: string, key: KeyObject): boolean {
  const bytes = signature.length > 2_000 ? null : readBase64(signature);
  if (bytes === null || bytes.toString("base64") !== signature) return false;
  return verify("sha256", Buffer.from(content), { key, padding: constants.RSA_PKCS1_PADDING }, bytes);
}

/** What the gateway calls a certificate: the MD5 of its issuer, last part first, and its serial number in decimal. */
export function certificateSn(certificate: X509Certificate): string {
  const issuer = certificate.issuer.split("\n").reverse().join(",");
  return createHash("md5")
    .update(`${issuer}${BigInt(`0x${certificate.serialNumber}`)}`)
    .digest("hex");
}

/** The names of those root certificates that are signed with RSA, joined by `_`; the bundle holds others, for other algorithms. */
export function rootCertificatesSn(certificates: readonly X509Certificate[]): string {
  return certificates
    .filter(({ signatureAlgorithmOid }) => signatureAlgorithmOid?.startsWith("1.2.840.113549.1.1.") ?? false)
    .map(certificateSn)
    .join("_");
}

const begin = "-----BEGIN CERTIFICATE-----";
const end = "-----END CERTIFICATE-----";

/** The certificates of a text in PEM, in its order; null where one of them cannot be read. */
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
 * The exact text of a member of a JSON object, as it is signed; null if the object doesn't have exactly one of that name. Read without
 * rebuilding it: the gateway signs its own spelling of numbers, slashes and spaces.
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
