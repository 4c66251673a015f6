import { type KeyObject, X509Certificate } from "node:crypto";
import { callProvider, type GatewayCall, GatewayError, retryAfterOf } from "#gateways/index.ts";
import type { Merchant } from "./credentials.ts";
import { authorizationOf, isFresh, isSigned, openResource, readProof } from "./signature.ts";
import { inner, parseWire, text, type Wire } from "./wire.ts";

const certificatesKey = "platform_certificates";
const fetchedKey = "platform_certificates_asked";
/** WeChat Pay requires merchants to check for new certificates at least every 12 hours. */
const cacheSeconds = 3_600;
/** Invented serial numbers must not cause repeated requests to WeChat Pay. */
const retrySeconds = 60;
const publicKeyPrefix = "PUB_KEY_ID_";

/** Returns the key of a `Wechatpay-Serial`; null if this account has none. For an unknown number it requests new certificates once. */
export async function findPlatformKey(merchant: Merchant, call: GatewayCall, serial: string): Promise<KeyObject | null> {
  if (serial === merchant.publicKey?.id) return merchant.publicKey.key;
  if (serial.startsWith(publicKeyPrefix)) return null;
  const known = cachedCertificates(call).get(serial);
  if (known !== undefined) return known.publicKey;
  if (call.cache.get(fetchedKey) !== null) return null;
  return (await downloadCertificates(merchant, call)).get(serial)?.publicKey ?? null;
}

/**
 * The serial of the key with which WeChat Pay should sign its response. Downloads the certificates of an account without a public key, so
 * that every response can be verified.
 */
export async function chooseSerial(merchant: Merchant, call: GatewayCall): Promise<string> {
  if (merchant.publicKey !== null) return merchant.publicKey.id;
  const cached = cachedCertificates(call);
  const certificates = cached.size > 0 ? cached : await downloadCertificates(merchant, call);
  const newest = [...certificates].toSorted(([, one], [, other]) => Date.parse(other.validFrom) - Date.parse(one.validFrom))[0];
  if (newest === undefined) throw noCertificates(null);
  return newest[0];
}

type Certificates = ReadonlyMap<string, X509Certificate>;

function cachedCertificates(call: GatewayCall): Certificates {
  const cached = call.cache.get(certificatesKey);
  return validOf(cached === null ? [] : (JSON.parse(cached) as string[]), call);
}

function validOf(pems: readonly string[], call: GatewayCall): Certificates {
  const now = call.now().getTime();
  return new Map(
    pems
      .map((pem) => new X509Certificate(pem))
      .filter(({ validFrom, validTo }) => Date.parse(validFrom) <= now && now < Date.parse(validTo))
      .map((certificate) => [certificate.serialNumber, certificate]),
  );
}

/**
 * The certificates that WeChat Pay signs with for this merchant. The response is signed with one of those inside it, even during a change:
 * each is trusted because it's encrypted with the APIv3 key, which only WeChat Pay and the merchant have.
 */
async function downloadCertificates(merchant: Merchant, call: GatewayCall): Promise<Certificates> {
  call.cache.set(fetchedKey, "1", retrySeconds);
  const path = "/v3/certificates";
  const signed = {
    method: "GET",
    target: targetOf(call, path),
    body: "",
    timestamp: `${Math.floor(call.now().getTime() / 1_000)}`,
    nonce: call.nonce(),
  };
  const headers = { accept: "application/json", "user-agent": userAgent, authorization: authorizationOf(merchant, signed) };
  const answer = await callProvider(call, { method: "GET", path, headers, changes: false });
  const requestId = answer.headers.get("request-id");
  if (answer.status === 401 || answer.status === 403) throw unsignedRefusal(call, answer, "SIGN_ERROR");
  if (answer.status === 404) throw noCertificates(requestId);
  if (answer.status === 429) {
    throw new GatewayError("rate_limited", {
      code: "RATELIMIT_EXCEEDED",
      message: tooOften,
      requestId,
      retryAfter: retryAfterOf(answer.headers),
    });
  }
  const listed = parseWire(answer.text)?.["data"];
  if (answer.status !== 200 || !Array.isArray(listed)) throw unreadable(requestId);
  const pems = listed.map((one: unknown) => openCertificate(typeof one === "object" && one !== null ? (one as Wire) : {}, merchant));
  const certificates = validOf(pems, call);
  const proof = readProof((name) => answer.headers.get(name));
  const key = certificates.get(proof?.serial ?? "")?.publicKey;
  if (proof === null || key === undefined || !isFresh(proof, call.now()) || !isSigned(proof, answer.text, key)) {
    throw new GatewayError("unavailable", {
      code: "signature",
      message: "The list of platform certificates isn't signed by WeChat Pay.",
      requestId,
    });
  }
  call.cache.set(certificatesKey, JSON.stringify(pems), cacheSeconds);
  return certificates;
}

function openCertificate(listed: Wire, { apiV3Key }: Merchant): string {
  const sealed = inner(listed, "encrypt_certificate");
  const resource = {
    ciphertext: text(sealed, "ciphertext") ?? "",
    nonce: text(sealed, "nonce") ?? "",
    associatedData: text(sealed, "associated_data") ?? "",
  };
  const pem = openResource(resource, apiV3Key);
  if (pem === null)
    throw new GatewayError("auth", {
      code: "api_v3_key",
      message: "The APIv3 key can't decrypt what WeChat Pay encrypts for this merchant.",
    });
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(pem);
  } catch {
    throw unreadable(null);
  }
  if (certificate.serialNumber !== text(listed, "serial_no")) throw unreadable(null);
  return pem;
}

export const userAgent = "Tillpost";
export const tooOften = "WeChat Pay is asked too often.";
/** WeChat Pay refuses requests whose time is five minutes from its own. */
const maxClockMs = 240_000;

/**
 * A refusal of the merchant's signature. WeChat Pay refuses in the same way if a clock is minutes off, which says nothing about the keys.
 */
export function unsignedRefusal(call: GatewayCall, { headers }: { headers: Headers }, code: string): GatewayError {
  const requestId = headers.get("request-id");
  const aheadMs = Math.abs(Date.parse(headers.get("date") ?? "") - call.now().getTime());
  if (aheadMs > maxClockMs) {
    const minutes = Math.round(aheadMs / 60_000);
    const message = `WeChat Pay refuses requests because its clock and this server's are ${minutes} minutes apart. Set this server's clock.`;
    return new GatewayError("unavailable", { code: "clock", message, requestId });
  }
  return new GatewayError("auth", { code, message: unacceptedSignature, requestId });
}

const unacceptedSignature =
  "WeChat Pay doesn't accept the merchant's signature: the merchant ID, the certificate's serial number and the private key must belong together.";

function noCertificates(requestId: string | null): GatewayError {
  const message = "WeChat Pay has no platform certificates for this merchant: enter the WeChat Pay public key and its ID.";
  return new GatewayError("auth", { code: "RESOURCE_NOT_EXISTS", message, requestId });
}

function unreadable(requestId: string | null): GatewayError {
  return new GatewayError("unavailable", { code: "malformed_answer", message: "The provider's response couldn't be read.", requestId });
}

/** Path and query as a request sends them, which is what is signed: the API may be below a path. */
export function targetOf(call: GatewayCall, path: string): string {
  const { pathname, search } = new URL(`${call.baseUrl}${path}`);
  return `${pathname}${search}`;
}
