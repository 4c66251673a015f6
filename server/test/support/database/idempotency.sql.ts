import type { Db } from "#platform/index.ts";
import { sql } from "#platform/sql.ts";

/** Makes a key look as if a version with other fingerprints had written it. */
export async function updateFingerprint(db: Db, key: string, fingerprint: string): Promise<void> {
  const { count } = await sql(db)`
    update idempotency_keys set fingerprint = ${fingerprint} where key = ${key} -- all tenants: the test made the key`;
  if (count !== 1) throw new Error(`there are ${count} keys ${key}`);
}
