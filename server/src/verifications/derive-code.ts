import { createHmac } from "node:crypto";
import { deriveKey, equalSecret, isTrusted, type MasterKeys, macOf } from "#platform/index.ts";
import type { VerificationRow } from "./shapes.ts";

type Coded = Pick<VerificationRow, "project_id" | "livemode" | "id" | "code_length" | "key_number">;

/** Every code in TEST begins like this. */
const testDigits = "4242424242";

/**
 * The code of a verification. It is stored nowhere: every message of a verification carries the same one because it follows from the verification's id by a key that only
 * this process has. In TEST it is the same for all, so that a program can finish a verification by itself.
 */
export function codeOf(keys: MasterKeys, coded: Coded): string {
  const { livemode, code_length } = coded;
  if (!livemode) return testDigits.slice(0, code_length);
  const digest = createHmac("sha256", deriveKey(keys, "verification code", coded.key_number))
    .update(nameOf(coded))
    .digest("hex");
  // Of 256 bits: no code is likelier than another by more than one part in 10^66.
  return (BigInt(`0x${digest}`) % 10n ** BigInt(code_length)).toString().padStart(code_length, "0");
}

/** What a given code is compared with. */
export function codeMac(keys: MasterKeys, coded: Coded, code: string): string {
  return macOf(deriveKey(keys, "verification check", coded.key_number), `${nameOf(coded)} ${code}`);
}

/** Whether a given code is the one that `mac` was made of. Takes the same time whichever digits are right. Nothing that a leaked master key made counts. */
export function isRightCode(keys: MasterKeys, coded: Coded, given: { code: string; mac: string }): boolean {
  return isTrusted(keys, "verification check", coded.key_number) && equalSecret(codeMac(keys, coded, given.code), given.mac);
}

/** The master key number of a verification's next code: its own, unless that key was revoked in the meantime. */
export function keyNumberOf(keys: MasterKeys, { key_number }: Pick<Coded, "key_number">): number {
  return isTrusted(keys, "verification code", key_number) ? key_number : keys.signing;
}

function nameOf({ project_id, livemode, id }: Coded): string {
  return `${project_id} ${livemode} ${id}`;
}
