import type { Db, Tenant } from "#platform/index.ts";
import { listNamesOfAccounts } from "../rows/sql.ts";

/** Whether two entries of a project are one account with the provider; null if it isn't known what the provider calls either of them. */
export async function isSameAccount(db: Db, tenant: Tenant, ids: readonly [string, string]): Promise<boolean | null> {
  if (ids[0] === ids[1]) return true;
  const [one = null, other = null] = await listNamesOfAccounts(db, tenant, ids);
  return one === null || other === null ? null : one === other;
}
