import { createPrivateKey, createPublicKey, generateKeyPair, sign } from "node:crypto";
import { promisify } from "node:util";
import type { SimulatorWorld } from "#gateways/index.ts";

/** The simulator's own authority, and the certificate that it signs callbacks with. */
export interface Signer {
  id: string;
  /** Private key and certificate in PEM. */
  key: string;
  certificate: string;
  authority: string;
  until: string;
}

const leafName = "messageverificationcerts.sandbox.paypal.com";
const dayMs = 86_400_000;

/** Returns the current signer. When the last one expires, a new one is created under a new address, as PayPal does. */
export async function findSigner(world: SimulatorWorld): Promise<Signer> {
  const known = await world.documents.get<Signer>("signer", "current");
  if (known !== null && known.until > world.now().toISOString()) return known;
  const [authorityKey, key] = await Promise.all((keys ??= [newKey(), newKey()]));
  const from = new Date(world.now().getTime() - dayMs);
  const authority = certificateOf({
    issuer: authorityName,
    subject: authorityName,
    isAuthority: true,
    from,
    days: 3_650,
    publicKey: authorityKey,
    signedWith: authorityKey,
  });
  const certificate = certificateOf({
    issuer: authorityName,
    subject: leafName,
    isAuthority: false,
    from,
    days: 366,
    publicKey: key,
    signedWith: authorityKey,
  });
  const until = new Date(from.getTime() + 365 * dayMs).toISOString();
  const signer = { id: `CERT-${world.token(8).toLowerCase()}-${world.token(8).toLowerCase()}`, key, certificate, authority, until };
  await world.documents.put("signer", "current", signer);
  await world.documents.put("certificate", signer.id, certificate);
  return signer;
}

const authorityName = "PayPal simulator authority";
/** Cached in this process, because generating them is noticeably slow. */
let keys: [Promise<string>, Promise<string>] | undefined;

async function newKey(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)("rsa", { modulusLength: 2_048 });
  return privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}

interface Request {
  issuer: string;
  subject: string;
  isAuthority: boolean;
  from: Date;
  days: number;
  /** Private keys in PEM. */
  publicKey: string;
  signedWith: string;
}

/** An RFC 5280 certificate in PEM: of an authority, or for the host in its subject. */
export function certificateOf({ issuer, subject, isAuthority, from, days, publicKey, signedWith }: Request): string {
  const content = sequence(
    tagged(0xa0, integer(2)),
    integer(from.getTime() % 0x7fffffff),
    sha256WithRsa,
    nameOf(issuer),
    sequence(timeOf(from), timeOf(new Date(from.getTime() + days * dayMs))),
    nameOf(subject),
    createPublicKey(createPrivateKey(publicKey)).export({ type: "spki", format: "der" }),
    tagged(0xa3, sequence(isAuthority ? basicConstraints : alternativeName(subject))),
  );
  const signature = sign("sha256", content, signedWith);
  const bytes = sequence(content, sha256WithRsa, tagged(0x03, Buffer.from([0]), signature));
  return `-----BEGIN CERTIFICATE-----\n${bytes.toString("base64").replace(/.{64}/g, "$&\n").trimEnd()}\n-----END CERTIFICATE-----\n`;
}

/** A DER value: tag, length, bytes. */
function tagged(tag: number, ...parts: readonly Buffer[]): Buffer {
  const bytes = Buffer.concat(parts);
  const length =
    bytes.length < 128 ? [bytes.length] : bytes.length < 256 ? [0x81, bytes.length] : [0x82, bytes.length >> 8, bytes.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), bytes]);
}

const sequence = (...parts: readonly Buffer[]) => tagged(0x30, ...parts);

function integer(value: number): Buffer {
  const hex = value.toString(16);
  const bytes = Buffer.from(hex.padStart(hex.length + (hex.length % 2), "0"), "hex");
  return tagged(0x02, ...((bytes[0] ?? 0) > 127 ? [Buffer.from([0]), bytes] : [bytes]));
}

const object = (hex: string) => tagged(0x06, Buffer.from(hex, "hex"));
const sha256WithRsa = sequence(object("2a864886f70d01010b"), Buffer.from([0x05, 0x00]));
const nameOf = (text: string) => sequence(tagged(0x31, sequence(object("550403"), tagged(0x0c, Buffer.from(text)))));
const timeOf = (date: Date) => tagged(0x18, Buffer.from(`${date.toISOString().slice(0, 19).replace(/[-T:]/g, "")}Z`));
const basicConstraints = sequence(
  object("551d13"),
  Buffer.from([0x01, 0x01, 0xff]),
  tagged(0x04, sequence(Buffer.from([0x01, 0x01, 0xff]))),
);
const alternativeName = (host: string) => sequence(object("551d11"), tagged(0x04, sequence(tagged(0x82, Buffer.from(host)))));
