import { createHmac } from "node:crypto";
import { deriveKey, equalSecret, type MasterKeys, trustedNumbers } from "#platform/index.ts";

/** Eighty bits: what is left of a local part's 64 characters next to the id. */
const macLength = 20;
const purpose = "messaging return path";

/** The envelope sender of one recipient's copy: every report to it identifies that copy, and it can't be forged. */
export function returnPathOf(masterKeys: MasterKeys, bounceDomain: string, recipientId: string): string {
  return `b+${recipientId}.${macOf(masterKeys, masterKeys.signing, recipientId)}@${bounceDomain}`;
}

/**
 * The recipient that a return address was made for; null if it isn't ours. Mail servers may have changed its case. The domain doesn't
 * matter: senders with their own return-path domain point it to us.
 */
export function readReturnPath(masterKeys: MasterKeys, address: string): string | null {
  const match = /^b\+([a-z]{1,8}_[0-9a-z]{26})\.([0-9a-f]{20})@[^@\s]+$/.exec(address.toLowerCase());
  const [, recipientId, mac] = match ?? [];
  if (recipientId === undefined || mac === undefined) return null;
  // Addresses outlive keys: one that an older key signed can come back days later.
  const isOurs = trustedNumbers(masterKeys, purpose).some((number) => equalSecret(macOf(masterKeys, number, recipientId), mac));
  return isOurs ? recipientId : null;
}

function macOf(masterKeys: MasterKeys, number: number, recipientId: string): string {
  return createHmac("sha256", deriveKey(masterKeys, purpose, number))
    .update(recipientId)
    .digest("hex")
    .slice(0, macLength);
}
