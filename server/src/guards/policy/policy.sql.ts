import type { Tx } from "#platform/index.ts";
import { type Db, sql } from "#platform/sql.ts";

/** Which destinations LIVE SMS and calls may reach at all. */
export interface PolicyTerms {
  /** null: every country that isn't denied. */
  allowed_countries: string[] | null;
  denied_countries: string[];
  /** Prefixes of numbers, in digits. */
  denied_prefixes: string[];
  /** Prefixes of premium-rate numbers that may be reached anyway. */
  opened_prefixes: string[];
}

export interface PolicyRow extends PolicyTerms {
  version: number;
  updated_at: Date | null;
}

export async function findPolicyRow(db: Db): Promise<PolicyRow> {
  const [row] = await sql(db)<PolicyRow>`
    select allowed_countries, denied_countries, denied_prefixes, opened_prefixes, version, updated_at from messaging_policy
    where singleton`;
  return row as PolicyRow;
}

export async function lockPolicy(tx: Tx): Promise<PolicyRow> {
  const [row] = await sql(tx)<PolicyRow>`
    select allowed_countries, denied_countries, denied_prefixes, opened_prefixes, version, updated_at from messaging_policy
    where singleton for update`;
  return row as PolicyRow;
}

export async function updatePolicy(tx: Tx, terms: PolicyTerms): Promise<PolicyRow> {
  const [row] = await sql(tx)<PolicyRow>`
    update messaging_policy set allowed_countries = ${terms.allowed_countries}::text[],
      denied_countries = ${terms.denied_countries}::text[], denied_prefixes = ${terms.denied_prefixes}::text[],
      opened_prefixes = ${terms.opened_prefixes}::text[], version = version + 1, updated_at = app_now()
    where singleton
    returning allowed_countries, denied_countries, denied_prefixes, opened_prefixes, version, updated_at`;
  return row as PolicyRow;
}
