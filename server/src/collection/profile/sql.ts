import type { Tenant, Tx } from "#platform/index.ts";
import { byKey, type ColumnsOf, columns, type Db, givenTenants, sql } from "#platform/sql.ts";
import type { Channel } from "../channels.ts";

export type MatchingMode = "exact" | "remark" | "unique_amount";

/** Ignores receipts by the wallet's word for the kind of transfer, by the payer, or by a word in any of their texts. */
export interface IgnoreRule {
  field: "type" | "payer" | "word";
  text: string;
}

export interface ProfileRow extends Tenant {
  id: string;
  channel: Channel;
  enabled: boolean;
  qr_payload: string | null;
  qr_asset_id: string | null;
  payee_name: string | null;
  /** The instructions for the buyer, by language. */
  instructions: Record<string, string>;
  matching: { mode: MatchingMode; max_offset_minor: number; strict: boolean };
  session_minutes: number;
  limits: { min_minor: number | null; max_minor: number | null; daily_total_minor: number | null };
  /** The account that the code pays into, named by the merchant or by us. */
  account_ref: string;
  /** Income that isn't the shop's: receipts without a code of ours that match are ignored. */
  ignore_rules: IgnoreRule[];
  version: number;
  code_changed_at: Date;
  created_at: Date;
  updated_at: Date;
  updated_by: string;
}

const profileColumns: ColumnsOf<ProfileRow> = columns(
  "collection_profiles",
  `
  project_id, livemode, id, channel, enabled, qr_payload, qr_asset_id, payee_name, instructions, matching, session_minutes, limits, version,
  code_changed_at, created_at, updated_at, updated_by, account_ref, ignore_rules`,
);

/** The profile of a channel, enabled or not; null if it was never configured. */
export async function findProfile(db: Db, tenant: Tenant, channel: Channel): Promise<ProfileRow | null> {
  const rows = await byKey(db)<ProfileRow>`
    select ${profileColumns} from collection_profiles
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and channel = ${channel}`;
  return rows[0] ?? null;
}

/** The profiles of some projects and environments: for each none, one or two. */
export async function listProfilesOf(db: Db, tenants: readonly Tenant[]): Promise<ProfileRow[]> {
  return sql(db)<ProfileRow>`
    -- all tenants: each key names its own project and environment
    select ${profileColumns.of("p")} from ${givenTenants(db, tenants)}
    join collection_profiles p on p.project_id = key.project_id and p.livemode = key.livemode order by p.id desc`;
}

export async function lockProfile(tx: Tx, tenant: Tenant, channel: Channel): Promise<ProfileRow | null> {
  const rows = await sql(tx)<ProfileRow>`
    select ${profileColumns} from collection_profiles
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and channel = ${channel} for update`;
  return rows[0] ?? null;
}

export async function insertProfile(tx: Tx, row: ProfileRow): Promise<void> {
  await sql(tx)`
    insert into collection_profiles (project_id, livemode, id, channel, enabled, qr_payload, qr_asset_id, payee_name, instructions,
      matching, session_minutes, limits, account_ref, ignore_rules, version, code_changed_at, created_at, updated_at, updated_by)
    values (${row.project_id}, ${row.livemode}, ${row.id}, ${row.channel}, ${row.enabled}, ${row.qr_payload}, ${row.qr_asset_id},
      ${row.payee_name}, ${sql(tx).json(row.instructions)}, ${sql(tx).json(row.matching)}, ${row.session_minutes},
      ${sql(tx).json(row.limits)}, ${row.account_ref}, ${sql(tx).json(row.ignore_rules)}, ${row.version}, ${row.code_changed_at},
      ${row.created_at}, ${row.updated_at}, ${row.updated_by})`;
}

export async function updateProfile(tx: Tx, row: ProfileRow): Promise<void> {
  await sql(tx)`
    update collection_profiles set enabled = ${row.enabled}, qr_payload = ${row.qr_payload}, qr_asset_id = ${row.qr_asset_id},
      payee_name = ${row.payee_name}, instructions = ${sql(tx).json(row.instructions)}, matching = ${sql(tx).json(row.matching)},
      session_minutes = ${row.session_minutes}, limits = ${sql(tx).json(row.limits)}, account_ref = ${row.account_ref},
      ignore_rules = ${sql(tx).json(row.ignore_rules)}, version = ${row.version},
      code_changed_at = ${row.code_changed_at}, updated_at = ${row.updated_at}, updated_by = ${row.updated_by}
    where project_id = ${row.project_id} and livemode = ${row.livemode} and id = ${row.id}`;
}
