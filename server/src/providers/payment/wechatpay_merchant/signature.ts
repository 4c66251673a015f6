import { createDecipheriv, type KeyObject, sign, verify } from "node:crypto";

/** How far a timestamp may be from our clock, in either direction, in seconds. */
export const clockSkewSeconds = 300;

const algorithm = "RSA-SHA256";
const signatureType = "WECHATPAY2-SHA256-RSA2048";
/** 2048 bits in base64; larger keys have longer signatures. */
const maxSignatureLength = 1_024;
const tagBytes = 16;

/** What identifies the merchant to WeChat Pay. */
export interface MerchantKey {
  mchid: string;
  certificateSerial: string;
  privateKey: KeyObject;
}

export interface SignedRequest {
  method: string;
  /** Path and query exactly as sent. */
  target: string;
  body: string;
  timestamp: string;
  nonce: string;
}

/** The `Authorization` header of a request. */
export function authorizationOf({ mchid, certificateSerial, privateKey }: MerchantKey, request: SignedRequest): string {
  const { method, target, body, timestamp, nonce } = request;
  const signature = signLines([method, target, timestamp, nonce, body], privateKey);
  return `${signatureType} mchid="${mchid}",nonce_str="${nonce}",timestamp="${timestamp}",serial_no="${certificateSerial}",signature="${signature}"`;
}

/** The parameters with which a page in WeChat's own browser opens the cashier. */
export function cashierParams(
  appid: string,
  given: { prepayId: string; timestamp: string; nonce: string; privateKey: KeyObject },
): Record<string, string> {
  const { prepayId, timestamp, nonce, privateKey } = given;
  const packed = `prepay_id=${prepayId}`;
  const paySign = signLines([appid, timestamp, nonce, packed], privateKey);
  return { appId: appid, timeStamp: timestamp, nonceStr: nonce, package: packed, signType: "RSA", paySign };
}

/** The four headers by which WeChat Pay proves that a response or a callback is its own. */
export interface Proof {
  timestamp: string;
  nonce: string;
  /** The id of a WeChat Pay public key, or the serial number of a platform certificate. */
  serial: string;
  signature: string;
}

/** null if a header is missing or malformed. */
export function readProof(header: (name: string) => string | null | undefined): Proof | null {
  const of = (name: string) => header(`wechatpay-${name}`) ?? "";
  const proof = { timestamp: of("timestamp"), nonce: of("nonce"), serial: of("serial"), signature: of("signature") };
  const isTimed = /^\d{1,12}$/.test(proof.timestamp) && /^[!-~]{1,64}$/.test(proof.nonce);
  // Node's own decoder would also accept text after a complete signature.
  const isBase64 = proof.signature.length <= maxSignatureLength && /^[0-9A-Za-z+/]+={0,2}$/.test(proof.signature);
  const isSigned = /^[0-9A-Za-z_]{1,64}$/.test(proof.serial) && isBase64;
  const isKnown = (header("wechatpay-signature-type") ?? signatureType) === signatureType;
  return isTimed && isSigned && isKnown ? proof : null;
}

export function isFresh({ timestamp }: Proof, at: Date): boolean {
  return Math.abs(at.getTime() / 1_000 - Number(timestamp)) < clockSkewSeconds;
}

/**
 * Whether the holder of `key` signed these bytes. WeChat Pay sends wrong signatures on purpose now and then: they fail here like any other.
 */
export function isSigned({ timestamp, nonce, signature }: Proof, body: Buffer | string, key: KeyObject): boolean {
  const message = Buffer.concat([Buffer.from(`${timestamp}\n${nonce}\n`), Buffer.from(body), Buffer.from("\n")]);
  return verify(algorithm, message, key, Buffer.from(signature, "base64"));
}

/** An encrypted part of a response or a callback, as WeChat Pay sends it. */
export interface EncryptedResource {
  ciphertext: string;
  nonce: string;
  associatedData: string;
}

/** Decrypts an encrypted part; null if this APIv3 key doesn't fit. */
export function openResource({ ciphertext, nonce, associatedData }: EncryptedResource, apiV3Key: Buffer): string | null {
  const sealed = Buffer.from(ciphertext, "base64");
  if (sealed.length < tagBytes || nonce === "") return null;
  try {
    const opener = createDecipheriv("aes-256-gcm", apiV3Key, nonce, { authTagLength: tagBytes });
    opener.setAuthTag(sealed.subarray(-tagBytes));
    opener.setAAD(Buffer.from(associatedData));
    return Buffer.concat([opener.update(sealed.subarray(0, -tagBytes)), opener.final()]).toString();
  } catch {
    return null;
  }
}

function signLines(lines: readonly string[], key: KeyObject): string {
  return sign(algorithm, Buffer.from(lines.map((line) => `${line}\n`).join("")), key).toString("base64");
}
