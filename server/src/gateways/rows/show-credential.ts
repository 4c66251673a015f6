import { platformErrors } from "#platform/index.ts";
import type { Credential, CredentialRow } from "./sql.ts";

/** An account as operations answer it: no secret, sealed or not, since answers are stored for repeated requests. */
export function showCredential({ sealed: _sealed, check_tries: _tries, ...credential }: CredentialRow): Credential {
  return credential;
}

/** Throws resource_missing for an account that isn't there, or is another gateway's, or was removed. */
export function presentCredential(row: CredentialRow | null, gateway: string): CredentialRow {
  if (row === null || row.gateway !== gateway || row.removed_at !== null) throw platformErrors.resource_missing({ param: "id" });
  return row;
}
