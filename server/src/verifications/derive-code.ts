import { createHmac } from "node:crypto";
import { deriveKey, equalSecret, isTrusted, type MasterKeys, macOf } from "#platform/index.ts";
import type { VerificationRow } from "./shapes.ts";

type Coded = Pick<VerificationRow, "project_id" | "livemode" | "id" | "code_length" | "key_number">;

/** The digits that TEST codes consist of. */
const testDigits = "4242424242";

/**
 * The code of a verification. It isn't stored: all messages of a verification have the same one because it is derived from the
 * verification's id with a key that only this process has. In TEST it is the same for all, so that a program can complete a verification
 * automatically.
 */
export function codeOf(keys: MasterKeys, coded: Coded): string {
  const { livemode, code_length } = coded;
  if (!livemode) return testDigits.slice(0, code_length);
  const digest = createHmac("sha256", deriveKey(keys, "verification code", coded.key_number))
    .update(nameOf(coded))
    .digest("hex");
  // From 256 bits, so that no code is likelier than another by more than one part in 10^66.
  return (BigInt(`0x${digest}`) % 10n ** BigInt(code_length)).toString().padStart(code_length, "0");
}

/** The MAC that a given code is compared with. */
export function codeMac(keys: MasterKeys, coded: Coded, code: string): string {
  return macOf(deriveKey(keys, "verification check", coded.key_number), `${nameOf(coded)} ${code}`);
}

/**
 * True if a given code is the one that `mac` was made of. Takes the same time whichever digits are right. MACs made with a revoked master
 * key don't count.
 */
export function isRightCode(keys: MasterKeys, coded: Coded, given: { code: string; mac: string }): boolean {
  return isTrusted(keys, "verification check", coded.key_number) && equalSecret(codeMac(keys, coded, given.code), given.mac);
}

/** The key version of a verification's next code: its own, unless that key was revoked in the meantime. */
export function keyNumberOf(keys: MasterKeys, { key_number }: Pick<Coded, "key_number">): number {
  return isTrusted(keys, "verification code", key_number) ? key_number : keys.signing;
}

function nameOf({ project_id, livemode, id }: Coded): string {
  return `${project_id} ${livemode} ${id}`;
}
