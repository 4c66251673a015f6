import { createPublicKey, type KeyObject } from "node:crypto";

/** The value of the TXT record under `<selector>._domainkey.<domain>`. */
export function dkimRecordOf(key: KeyObject): string {
  return `v=DKIM1; k=rsa; p=${createPublicKey(key).export({ type: "spki", format: "der" }).toString("base64")}`;
}
