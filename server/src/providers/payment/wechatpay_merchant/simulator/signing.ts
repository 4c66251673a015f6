import { createCipheriv, createSign, createVerify } from "node:crypto";
import type { SimulatorWorld } from "#gateways/index.ts";
import { findMerchant, merchantKey, type SigningKey, type SimulatedMerchant } from "./accounts.ts";
import { Refused } from "./rules.ts";

const scheme = "WECHATPAY2-SHA256-RSA2048";
const toleratedSeconds = 300;

/** The merchant that a request claims to come from; null if WeChat Pay doesn't know it. */
export async function claimedMerchant(world: SimulatorWorld, request: Request): Promise<SimulatedMerchant | null> {
  return findMerchant(world, partsOf(request).get("mchid") ?? "");
}

function partsOf(request: Request): Map<string, string> {
  const [head = "", rest = ""] = (request.headers.get("authorization") ?? "").split(/ (.*)/s);
  const parts = [...rest.matchAll(/(\w{1,20})="([^"]*)"/g)].map(([, name = "", value = ""]) => [name, value] as const);
  return new Map(head === scheme ? parts : []);
}

/** Refuses a request that the merchant didn't sign within the last five minutes. */
export async function checkAuthorization(
  world: SimulatorWorld,
  merchant: SimulatedMerchant,
  { request, body }: { request: Request; body: string },
): Promise<void> {
  const parts = partsOf(request);
  const [timestamp, nonce, signature] = [parts.get("timestamp") ?? "", parts.get("nonce_str") ?? "", parts.get("signature") ?? ""];
  const { pathname, search } = new URL(request.url);
  const signed = [request.method, `${pathname}${search}`, timestamp, nonce, body, ""].join("\n");
  const isRecent = Math.abs(world.now().getTime() / 1_000 - Number(timestamp)) <= toleratedSeconds;
  const verifier = createVerify("sha256WithRSAEncryption").update(signed);
  const isGenuine = verifier.verify(await merchantKey(world, merchant), signature, "base64");
  if (!isRecent || nonce === "" || parts.get("serial_no") !== merchant.serial || !isGenuine)
    throw new Refused(401, "SIGN_ERROR", "签名错误，请检查后再试");
}

/**
 * Headers that prove a response or a notification. `isProbe`: with a signature that is wrong on purpose, to see whether the merchant
 * notices.
 */
export function proofHeaders(
  world: SimulatorWorld,
  body: string,
  { key, isProbe = false }: { key: SigningKey; isProbe?: boolean },
): Record<string, string> {
  const timestamp = String(Math.floor(world.now().getTime() / 1_000));
  const nonce = world.token(32);
  const signature = createSign("sha256WithRSAEncryption").update(`${timestamp}\n${nonce}\n${body}\n`).sign(key.privateKey, "base64");
  return {
    "Wechatpay-Timestamp": timestamp,
    "Wechatpay-Nonce": nonce,
    "Wechatpay-Serial": key.serial,
    "Wechatpay-Signature": isProbe ? `WECHATPAY/SIGNTEST/${signature.slice("WECHATPAY/SIGNTEST/".length)}` : signature,
    "Wechatpay-Signature-Type": scheme,
  };
}

/** Encrypts what only the merchant may read. */
export function encrypt(world: SimulatorWorld, plain: string, { apiV3Key, associatedData }: { apiV3Key: string; associatedData: string }) {
  const nonce = world.token(12);
  const cipher = createCipheriv("aes-256-gcm", apiV3Key, nonce).setAAD(Buffer.from(associatedData));
  const ciphertext = Buffer.concat([cipher.update(plain, "utf8"), cipher.final(), cipher.getAuthTag()]).toString("base64");
  return { algorithm: "AEAD_AES_256_GCM", ciphertext, associated_data: associatedData, nonce };
}
