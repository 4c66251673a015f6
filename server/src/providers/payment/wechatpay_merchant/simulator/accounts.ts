import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject, randomBytes } from "node:crypto";
import { promisify } from "node:util";
import type { SimulatorWorld } from "#gateways/index.ts";
import { selfSigned } from "./certificate.ts";

/** A merchant as WeChat Pay knows it. */
export interface SimulatedMerchant {
  name: string;
  mchid: string;
  appid: string;
  /** The serial number of the merchant's API certificate. */
  serial: string;
  apiV3Key: string;
  publicKeyId: string;
  /** The secret of the appid's service account. */
  appSecret: string;
}

/** What WeChat Pay signs with. */
export interface SigningKey {
  serial: string;
  privateKey: KeyObject;
}

interface PlatformCertificate {
  serial: string;
  pem: string;
  keyName: string;
  fromMs: number;
  toMs: number;
}

const generate = promisify(generateKeyPair);
const certificateMs = 5 * 365 * 86_400_000;
/** The next certificate is issued this long before one expires. */
const overlapMs = 30 * 86_400_000;

/** Returns the merchant of a name, created on first use. */
export async function openMerchant(world: SimulatorWorld, name: string): Promise<SimulatedMerchant> {
  const mchid = await world.documents.get<string>("merchant_name", name);
  const known = mchid === null ? null : await findMerchant(world, mchid);
  if (known !== null) return known;
  const merchant: SimulatedMerchant = {
    name,
    mchid: `16${digits(8)}`,
    appid: `wx${randomBytes(8).toString("hex")}`,
    serial: serialNumber(),
    apiV3Key: world.token(32),
    publicKeyId: `PUB_KEY_ID_01${digits(32)}`,
    appSecret: randomBytes(16).toString("hex"),
  };
  await world.documents.put("merchant", merchant.mchid, merchant);
  await world.documents.put("merchant_name", name, merchant.mchid);
  await world.documents.put("merchant_app", merchant.appid, merchant.mchid);
  return merchant;
}

export async function findMerchant(world: SimulatorWorld, mchid: string): Promise<SimulatedMerchant | null> {
  return world.documents.get<SimulatedMerchant>("merchant", mchid);
}

/** The merchant whose service account has this appid. */
export async function findMerchantOfApp(world: SimulatorWorld, appid: string): Promise<SimulatedMerchant | null> {
  const mchid = await world.documents.get<string>("merchant_app", appid);
  return mchid === null ? null : findMerchant(world, mchid);
}

/** What the merchant copies from WeChat Pay's pages. */
export async function fieldsOf(world: SimulatorWorld, merchant: SimulatedMerchant): Promise<Record<string, string>> {
  const { mchid, appid, serial, apiV3Key, publicKeyId, appSecret } = merchant;
  const privateKey = await keyOf(world, `${merchant.name}/merchant`);
  const publicKey = createPublicKey(await keyOf(world, `${merchant.name}/public_key`));
  return {
    mchid,
    appid,
    certificate_serial: serial,
    private_key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    api_v3_key: apiV3Key,
    public_key_id: publicKeyId,
    public_key: publicKey.export({ type: "spki", format: "pem" }).toString(),
    h5: "on",
    app_secret: appSecret,
  };
}

export async function merchantKey(world: SimulatorWorld, { name }: SimulatedMerchant): Promise<KeyObject> {
  return createPublicKey(await keyOf(world, `${name}/merchant`));
}

/** The key that WeChat Pay signs with for this merchant: its public key if the merchant requests that, otherwise its newest certificate. */
export async function signingKey(world: SimulatorWorld, merchant: SimulatedMerchant, usesPublicKey: boolean): Promise<SigningKey> {
  if (usesPublicKey) return { serial: merchant.publicKeyId, privateKey: await keyOf(world, `${merchant.name}/public_key`) };
  const newest = (await listCertificates(world, merchant)).at(-1);
  if (newest === undefined) throw new Error("there is no platform certificate");
  return { serial: newest.serial, privateKey: await keyOf(world, newest.keyName) };
}

/** The certificates that are valid now, oldest first; creates the next one when the newest is about to expire. */
export async function listCertificates(world: SimulatorWorld, { name }: SimulatedMerchant): Promise<PlatformCertificate[]> {
  const now = world.now().getTime();
  const certificates = (await world.documents.get<PlatformCertificate[]>("certificates", name)) ?? [];
  const newest = certificates.at(-1);
  if (newest === undefined || now >= newest.toMs - overlapMs) {
    const keyName = `${name}/certificate_${certificates.length + 1}`;
    const privateKey = await keyOf(world, keyName);
    const [serial, fromMs, toMs] = [serialNumber(), now - 1_000, now + certificateMs];
    const pem = selfSigned({ serial, privateKey, publicKey: createPublicKey(privateKey), from: new Date(fromMs), to: new Date(toMs) });
    certificates.push({ serial, pem, keyName, fromMs, toMs });
    await world.documents.put("certificates", name, certificates);
  }
  return certificates.filter(({ toMs }) => now < toMs);
}

async function keyOf(world: SimulatorWorld, name: string): Promise<KeyObject> {
  const stored = await world.documents.get<string>("key", name);
  if (stored !== null) return createPrivateKey(stored);
  const { privateKey } = await generate("rsa", { modulusLength: 2_048 });
  await world.documents.put("key", name, privateKey.export({ type: "pkcs8", format: "pem" }).toString());
  return privateKey;
}

/** 40 hexadecimal digits, the first of which is never 0. */
function serialNumber(): string {
  const bytes = randomBytes(20);
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytes.toString("hex").toUpperCase();
}

function digits(length: number): string {
  return [...randomBytes(length)].map((byte) => byte % 10).join("");
}
