import { createSign, createVerify, generateKeyPair } from "node:crypto";
import { promisify } from "node:util";
import type { SimulatorWorld } from "#gateways/index.ts";

const makeKeyPair = promisify(generateKeyPair);

/** A merchant's app, with both key pairs: its own and Alipay's for it. */
export interface SimulatedApp {
  appId: string;
  sellerId: string;
  appPrivateKey: string;
  appPublicKey: string;
  alipayPrivateKey: string;
  alipayPublicKey: string;
  /** The names of the certificates if the app is in certificate mode; null in key mode. */
  certificates: { appCertSn: string; rootCertSn: string; alipayCertSn: string } | null;
}

/** Returns the app of an account, created on first use. */
export async function openApp(world: SimulatorWorld, account: string): Promise<SimulatedApp> {
  const known = await world.documents.get<string>("account", account);
  const app = known === null ? null : await findApp(world, known);
  if (app !== null) return app;
  const [own, theirs] = await pairsOf(account);
  const made: SimulatedApp = {
    appId: `9021${digitsOf(world, 12)}`,
    sellerId: `2088${digitsOf(world, 12)}`,
    appPrivateKey: own.privateKey,
    appPublicKey: own.publicKey,
    alipayPrivateKey: theirs.privateKey,
    alipayPublicKey: theirs.publicKey,
    certificates: null,
  };
  await world.documents.put("app", made.appId, made);
  await world.documents.put("account", account, made.appId);
  return made;
}

/** Returns the app of an id, or null. */
export function findApp(world: SimulatorWorld, appId: string): Promise<SimulatedApp | null> {
  return world.documents.get<SimulatedApp>("app", appId);
}

/** Signs as Alipay does for an app. */
export function signAsAlipay(text: string, app: SimulatedApp): string {
  return createSign("RSA-SHA256").update(text, "utf8").sign(app.alipayPrivateKey, "base64");
}

/** Whether an app signed a text. */
export function isSignedByApp(text: string, signature: string, app: SimulatedApp): boolean {
  return createVerify("RSA-SHA256").update(text, "utf8").verify(app.appPublicKey, signature, "base64");
}

interface KeyPair {
  privateKey: string;
  publicKey: string;
}

/** Cached in this process by the account's name, because generating a pair is noticeably slow. */
const pairs = new Map<string, Promise<[KeyPair, KeyPair]>>();

function pairsOf(account: string): Promise<[KeyPair, KeyPair]> {
  const known = pairs.get(account);
  if (known !== undefined) return known;
  const made = Promise.all([newPair(), newPair()]);
  pairs.set(account, made);
  return made;
}

async function newPair(): Promise<KeyPair> {
  return makeKeyPair("rsa", {
    modulusLength: 2_048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
}

/** Returns that many random digits. */
export function digitsOf(world: SimulatorWorld, length: number): string {
  return [...world.token(length)].map((letter) => String(letter.charCodeAt(0) % 10)).join("");
}
