import { createPrivateKey, createPublicKey, type KeyObject, type X509Certificate } from "node:crypto";
import { type CredentialFault, CredentialsInvalid } from "#gateways/index.ts";
import { readBase64 } from "#platform/index.ts";
import { desktopWays, manifest } from "./manifest.ts";
import { certificateSn, readCertificates, rootCertificatesSn } from "./signature.ts";

/** An account's credentials, parsed. */
export interface AlipayCredentials {
  appId: string;
  sellerId: string;
  privateKey: KeyObject;
  /** Alipay's public keys by the name of their certificate; in key mode there is one, with an empty name. */
  alipayKeys: ReadonlyMap<string, KeyObject>;
  /** What certificate mode adds to each request; null in key mode. */
  certificates: { appCertSn: string; rootCertSn: string } | null;
  /** How buyers at a computer pay. */
  desktop: (typeof desktopWays)[number];
}

const digits = /^\d{16}$/;
const seller = /^2088\d{12}$/;

/** Parses the form of an account. Throws `CredentialsInvalid` with every fault at once. */
export function readCredentials(form: Readonly<Record<string, string>>): AlipayCredentials {
  const given = Object.fromEntries(manifest.fields.map(({ name }) => [name, (form[name] ?? "").trim()]));
  const faults: CredentialFault[] = manifest.fields
    .filter(({ name, required }) => required && given[name] === "")
    .map(({ name }) => ({ field: name, reason: "required", message: "This field is required." }));
  const text = (name: string) => given[name] ?? "";
  const fault = (field: string, reason: CredentialFault["reason"], message: string): null => {
    faults.push({ field, reason, message });
    return null;
  };
  if (text("app_id") !== "" && !digits.test(text("app_id"))) fault("app_id", "malformed", "An App ID is 16 digits.");
  if (text("seller_id") !== "" && !seller.test(text("seller_id")))
    fault("seller_id", "malformed", "A merchant PID has 16 digits and starts with 2088.");
  const desktop =
    desktopWays.find((way) => way === (text("desktop") || desktopWays[0])) ??
    fault("desktop", "malformed", `desktop must be ${desktopWays.join(" or ")}.`);
  const privateKey = text("private_key") === "" ? null : readPrivateKey(text("private_key"), fault);
  const side = text("alipay_public_key") === "" ? null : readAlipaySide({ text, privateKey, fault });
  if (faults.length > 0 || privateKey === null || side === null || desktop === null) throw new CredentialsInvalid(faults);
  return { appId: text("app_id"), sellerId: text("seller_id"), privateKey, desktop, ...side };
}

type Fault = (field: string, reason: CredentialFault["reason"], message: string) => null;

interface Form {
  text(name: string): string;
  privateKey: KeyObject | null;
  fault: Fault;
}

function readPrivateKey(text: string, fault: Fault): KeyObject | null {
  const der = derOf(text);
  const key =
    der === null
      ? null
      : (keyOf(() => createPrivateKey({ key: der, format: "der", type: "pkcs8" })) ??
        keyOf(() => createPrivateKey({ key: der, format: "der", type: "pkcs1" })));
  return isStrong(key) ? key : fault("private_key", "malformed", "This isn't an RSA private key of 2048 to 4096 bits.");
}

function readAlipaySide(form: Form): Pick<AlipayCredentials, "alipayKeys" | "certificates"> | null {
  return form.text("alipay_public_key").includes("-----BEGIN CERTIFICATE-----") ? readCertificateMode(form) : readKeyMode(form);
}

function readKeyMode({ text, privateKey, fault }: Form): Pick<AlipayCredentials, "alipayKeys" | "certificates"> | null {
  const der = derOf(text("alipay_public_key"));
  const key = der === null ? null : keyOf(() => createPublicKey({ key: der, format: "der", type: "spki" }));
  if (!isStrong(key))
    return fault("alipay_public_key", "malformed", "This is neither an RSA public key of 2048 to 4096 bits nor a certificate.");
  if (privateKey !== null && createPublicKey(privateKey).equals(key)) {
    return fault(
      "alipay_public_key",
      "not_a_pair",
      "This is the public key of your app. Enter Alipay's public key, which Alipay shows after you have uploaded yours.",
    );
  }
  for (const name of ["app_cert", "alipay_root_cert"]) {
    if (text(name) !== "")
      fault("alipay_public_key", "not_a_pair", "With an app certificate or a root certificate, this has to be Alipay's certificate.");
  }
  return { alipayKeys: new Map([["", key]]), certificates: null };
}

function readCertificateMode({ text, privateKey, fault }: Form): Pick<AlipayCredentials, "alipayKeys" | "certificates"> | null {
  const certificatesOf = (name: string, most: number): X509Certificate[] => {
    if (text(name) === "") fault(name, "required", "Certificate mode needs this certificate.");
    const found = text(name) === "" ? [] : (readCertificates(text(name)) ?? []);
    const isRead = found.length > 0 && found.length <= most;
    if (text(name) !== "" && !isRead) fault(name, "malformed", "This isn't a certificate in PEM.");
    return isRead ? found : [];
  };
  const theirs = certificatesOf("alipay_public_key", 5);
  const [app] = certificatesOf("app_cert", 5);
  const rootCertSn = rootCertificatesSn(certificatesOf("alipay_root_cert", 20));
  if (theirs.some((one) => !isStrong(publicKeyOf(one))))
    return fault("alipay_public_key", "malformed", "A certificate here has no RSA key of 2048 to 4096 bits.");
  if (app === undefined || theirs.length === 0) return null;
  if (rootCertSn === "")
    return text("alipay_root_cert") === "" ? null : fault("alipay_root_cert", "malformed", "No root certificate here is signed with RSA.");
  if (privateKey !== null && !app.checkPrivateKey(privateKey))
    return fault("app_cert", "not_a_pair", "The app certificate doesn't belong to the private key.");
  const alipayKeys = new Map(theirs.map((one) => [certificateSn(one), one.publicKey]));
  return { alipayKeys, certificates: { appCertSn: certificateSn(app), rootCertSn } };
}

/** The bytes of a key in PEM or, as Alipay's tool shows it, bare base64. */
function derOf(text: string): Buffer | null {
  if (text.length > 20_000) return null;
  const lines = text.split(/[\r\n]+/).filter((line) => !line.trim().startsWith("-----"));
  return readBase64(lines.map((line) => line.trim()).join(""));
}

function keyOf(read: () => KeyObject): KeyObject | null {
  try {
    return read();
  } catch {
    return null;
  }
}

function publicKeyOf(certificate: X509Certificate): KeyObject | null {
  return keyOf(() => certificate.publicKey);
}

/**
 * Signing takes eight times as long with twice the bits and blocks all requests, so keys that add no security are refused. Alipay's have
 * 2048.
 */
function isStrong(key: KeyObject | null): key is KeyObject {
  const bits = key?.asymmetricKeyDetails?.modulusLength ?? 0;
  return key?.asymmetricKeyType === "rsa" && bits >= 2_048 && bits <= 4_096;
}
