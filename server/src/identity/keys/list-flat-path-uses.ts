import type { Db, Tenant } from "#platform/index.ts";
import { type FlatPathUse, listFlatUses } from "./sql.ts";

/** Which keys of a project still use which deprecated flat paths, the latest use first. */
export function listFlatPathUses(db: Db, tenant: Tenant): Promise<FlatPathUse[]> {
  return listFlatUses(db, tenant);
}
