import { constants, verify } from "node:crypto";
import { crc32 } from "node:zlib";
import { type CallbackRefusal, type GatewayCall, GatewayError, type RawCallback } from "#gateways/index.ts";
import { findKey, isCertificateUrl, tooManyFetches } from "./certificates.ts";

const algorithm = "SHA256withRSA";

/**
 * Why a callback isn't PayPal's for this webhook; null if it is. PayPal signs the id and the time of a transmission, the webhook's id and a
 * CRC-32 of the body. Other bytes can have the same checksum, so only the body's ids are used, and what it reports is queried.
 */
export async function refusalOf(
  call: GatewayCall,
  callback: RawCallback,
  given: { webhookId: string; livemode: boolean },
): Promise<CallbackRefusal | null> {
  const header = (name: string) => callback.headers[`paypal-${name}`] ?? "";
  const [id, time, certificateUrl, signature] = [
    header("transmission-id"),
    header("transmission-time"),
    header("cert-url"),
    readSignature(header("transmission-sig")),
  ];
  if (callback.method !== "POST") return "malformed";
  if (signature === null || header("auth-algo") === "") return "signature";
  if (header("auth-algo") !== algorithm) return "unsupported";
  // Neither may contain the separator of the signed fields.
  if (!/^[0-9A-Za-z-]{1,100}$/.test(id) || !/^\d{4}-\d\d-\d\dT[\d:.]{1,20}Z$/.test(time)) return "malformed";
  if (!isCertificateUrl(call, certificateUrl, given)) return "unknown_key";
  const key = await findKey(call, certificateUrl, given).catch(refusedWhereTooMany);
  if (key === null) return "unknown_key";
  const message = Buffer.from(`${id}|${time}|${given.webhookId}|${crc32(callback.body)}`);
  return verify("sha256", message, { key, padding: constants.RSA_PKCS1_PADDING }, signature) ? null : "signature";
}

/** A sender that keeps sending different certificates is a stranger, to be refused and counted as one. PayPal repeats refused callbacks. */
function refusedWhereTooMany(error: unknown): null {
  if (error instanceof GatewayError && error.code === tooManyFetches) return null;
  throw error;
}

/** Base64 of as many bytes as an RSA signature has. */
function readSignature(text: string): Buffer | null {
  return /^[A-Za-z0-9+/]{300,700}={0,2}$/.test(text) ? Buffer.from(text, "base64") : null;
}
