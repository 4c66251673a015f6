import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { type CredentialFault, CredentialsInvalid } from "#gateways/index.ts";
import { manifest } from "./manifest.ts";
import type { MerchantKey } from "./signature.ts";

/** A merchant's account with WeChat Pay, its credentials parsed. */
export interface Merchant extends MerchantKey {
  appid: string;
  apiV3Key: Buffer;
  /** The key that WeChat Pay signs with; null if it signs with platform certificates. */
  publicKey: { id: string; key: KeyObject } | null;
  h5: boolean;
  /** The secret of the service account with this `appid`; null if buyers in WeChat's own browser aren't identified. */
  appSecret: string | null;
}

const minKeyBits = 2_048;
/** Signing takes eight times as long with twice the bits and blocks all requests. WeChat Pay's keys have 2048. */
const maxKeyBits = 4_096;
const apiV3KeyBytes = 32;
const notKey = (name: string) =>
  `${name} must be an RSA key of ${minKeyBits} to ${maxKeyBits} bits in PEM, from -----BEGIN to -----END-----.`;

/** Parses the fields of the form. Throws `CredentialsInvalid` with every fault. */
export function readMerchant(fields: Readonly<Record<string, string>>): Merchant {
  const faults: CredentialFault[] = [];
  const given = (name: string) => (fields[name] ?? "").trim();
  const malformed = (field: string, message: string) => faults.push({ field, reason: "malformed", message });
  for (const { name, required } of manifest.fields) {
    if (required && given(name) === "") faults.push({ field: name, reason: "required", message: `${name} is required.` });
  }
  const matching = (name: string, pattern: RegExp, message: string) => {
    if (given(name) !== "" && !pattern.test(given(name))) malformed(name, message);
    return given(name);
  };
  const mchid = matching("mchid", /^\d{6,32}$/, "mchid must consist of digits.");
  const appid = matching("appid", /^wx[0-9A-Za-z]{6,30}$/, "appid must start with wx, followed by letters and digits.");
  const serial = matching("certificate_serial", /^[0-9A-Fa-f]{16,64}$/, "certificate_serial must be a hexadecimal number.");
  const publicKeyId = matching("public_key_id", /^PUB_KEY_ID_[0-9A-Za-z]{1,50}$/, "public_key_id must start with PUB_KEY_ID_.");
  const h5 = matching("h5", /^(on|off)$/, "h5 must be on or off.");
  const appSecret = matching("app_secret", /^[0-9A-Fa-f]{32}$/, "app_secret must consist of 32 characters of 0-9 and a-f.");
  const apiV3Key = Buffer.from(given("api_v3_key"));
  if (apiV3Key.length !== 0 && apiV3Key.length !== apiV3KeyBytes)
    malformed("api_v3_key", `api_v3_key must be exactly ${apiV3KeyBytes} bytes long.`);
  const privateKey = given("private_key") === "" ? null : readKey(() => createPrivateKey(given("private_key")));
  if (given("private_key") !== "" && privateKey === null) malformed("private_key", notKey("private_key"));
  const key = given("public_key") === "" ? null : readPublicKey(given("public_key"));
  if (given("public_key") !== "" && key === null) malformed("public_key", notKey("public_key"));
  faults.push(...pairFaults({ id: publicKeyId, given: given("public_key") !== "", key, privateKey }));
  if (faults.length > 0 || privateKey === null) throw new CredentialsInvalid(faults);
  const publicKey = key === null ? null : { id: publicKeyId, key };
  return {
    mchid,
    appid,
    certificateSerial: serial.toUpperCase(),
    privateKey,
    apiV3Key,
    publicKey,
    h5: h5 === "on",
    appSecret: appSecret === "" ? null : appSecret,
  };
}

/** The public key and its id must both be given, and the key must be WeChat Pay's, not the merchant's own. */
function pairFaults(pair: { id: string; given: boolean; key: KeyObject | null; privateKey: KeyObject | null }): CredentialFault[] {
  const { id, given, key, privateKey } = pair;
  const missing = (field: string, other: string): CredentialFault => ({
    field,
    reason: "required",
    message: `${field} is required with ${other}.`,
  });
  if (id !== "" && !given) return [missing("public_key", "public_key_id")];
  if (id === "" && given) return [missing("public_key_id", "public_key")];
  const isOwn = key !== null && privateKey !== null && createPublicKey(privateKey).equals(key);
  return isOwn
    ? [
        {
          field: "public_key",
          reason: "malformed",
          message: "public_key is the merchant's own key: enter pub_key.pem, the key from WeChat Pay.",
        },
      ]
    : [];
}

function readPublicKey(pem: string): KeyObject | null {
  return pem.includes("PUBLIC KEY-----") ? readKey(() => createPublicKey(pem)) : null;
}

function readKey(open: () => KeyObject): KeyObject | null {
  try {
    const key = open();
    const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
    return key.asymmetricKeyType === "rsa" && bits >= minKeyBits && bits <= maxKeyBits ? key : null;
  } catch {
    return null;
  }
}
