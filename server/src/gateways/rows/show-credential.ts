import { platformErrors } from "#platform/index.ts";
import type { Credential, CredentialRow } from "./sql.ts";

/** An account as operations return it: without secrets, sealed or not, because responses are stored for repeated requests. */
export function showCredential({ sealed: _sealed, check_tries: _tries, ...credential }: CredentialRow): Credential {
  return credential;
}

/** Throws resource_missing for an unknown or removed account, or one of another gateway. */
export function presentCredential(row: CredentialRow | null, gateway: string): CredentialRow {
  if (row === null || row.gateway !== gateway || row.removed_at !== null) throw platformErrors.resource_missing({ param: "id" });
  return row;
}
