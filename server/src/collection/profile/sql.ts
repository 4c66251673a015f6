import type { Tenant, Tx } from "#platform/index.ts";
import { type Db, sql } from "#platform/sql.ts";
import type { Channel } from "../channels.ts";

export type MatchingMode = "exact" | "remark" | "unique_amount";

export interface ProfileRow extends Tenant {
  id: string;
  channel: Channel;
  enabled: boolean;
  qr_payload: string | null;
  qr_asset_id: string | null;
  payee_name: string | null;
  /** What the buyer is told, by language. */
  instructions: Record<string, string>;
  matching: { mode: MatchingMode; max_offset_minor: number; strict: boolean };
  session_minutes: number;
  limits: { min_minor: number | null; max_minor: number | null; daily_total_minor: number | null };
  version: number;
  code_changed_at: Date;
  created_at: Date;
  updated_at: Date;
  updated_by: string;
}

/** The profile of a channel, enabled or not; null when it was never configured. */
export async function findProfile(db: Db, tenant: Tenant, channel: Channel): Promise<ProfileRow | null> {
  const rows = await sql(db)<ProfileRow>`
    select * from collection_profiles
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and channel = ${channel}`;
  return rows[0] ?? null;
}

/** The profiles of a project and environment: none, one or two. */
export async function listProfiles(db: Db, tenant: Tenant): Promise<ProfileRow[]> {
  return sql(db)<ProfileRow>`
    select * from collection_profiles
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} order by id desc`;
}

export async function lockProfile(tx: Tx, tenant: Tenant, channel: Channel): Promise<ProfileRow | null> {
  const rows = await sql(tx)<ProfileRow>`
    select * from collection_profiles
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and channel = ${channel} for update`;
  return rows[0] ?? null;
}

export async function insertProfile(tx: Tx, row: ProfileRow): Promise<void> {
  await sql(tx)`
    insert into collection_profiles (project_id, livemode, id, channel, enabled, qr_payload, qr_asset_id, payee_name, instructions, matching,
      session_minutes, limits, version, code_changed_at, created_at, updated_at, updated_by)
    values (${row.project_id}, ${row.livemode}, ${row.id}, ${row.channel}, ${row.enabled}, ${row.qr_payload}, ${row.qr_asset_id}, ${row.payee_name},
      ${sql(tx).json(row.instructions)}, ${sql(tx).json(row.matching)}, ${row.session_minutes}, ${sql(tx).json(row.limits)}, ${row.version},
      ${row.code_changed_at}, ${row.created_at}, ${row.updated_at}, ${row.updated_by})`;
}

export async function updateProfile(tx: Tx, row: ProfileRow): Promise<void> {
  await sql(tx)`
    update collection_profiles set enabled = ${row.enabled}, qr_payload = ${row.qr_payload}, qr_asset_id = ${row.qr_asset_id},
      payee_name = ${row.payee_name}, instructions = ${sql(tx).json(row.instructions)}, matching = ${sql(tx).json(row.matching)},
      session_minutes = ${row.session_minutes}, limits = ${sql(tx).json(row.limits)}, version = ${row.version},
      code_changed_at = ${row.code_changed_at}, updated_at = ${row.updated_at}, updated_by = ${row.updated_by}
    where project_id = ${row.project_id} and livemode = ${row.livemode} and id = ${row.id}`;
}

/** The highest amount between `from` and `to` that is not held; null when all are. */
export async function findFreeAmount(tx: Tx, tenant: Tenant, wanted: { profile_id: string; from: number; to: number; now: Date }): Promise<number | null> {
  const rows = await sql(tx)<{ amount: number }>`
    select amount from generate_series(${wanted.from}::bigint, ${wanted.to}::bigint, -1) as amount
    where not exists (select from amount_locks where project_id = ${tenant.project_id} and livemode = ${tenant.livemode}
      and profile_id = ${wanted.profile_id} and payable_amount_minor = amount and held_until > ${wanted.now})
    limit 1`;
  return rows[0]?.amount ?? null;
}

/** Takes an amount that is free or whose time is over; false when another session was quicker. Waits for one that is just taking it. */
export async function insertAmountLock(
  tx: Tx,
  tenant: Tenant,
  lock: { profile_id: string; amount: number; session_id: string; until: Date; now: Date },
): Promise<boolean> {
  const rows = await sql(tx)`
    insert into amount_locks (project_id, livemode, profile_id, payable_amount_minor, session_id, held_until)
    values (${tenant.project_id}, ${tenant.livemode}, ${lock.profile_id}, ${lock.amount}, ${lock.session_id}, ${lock.until})
    on conflict (project_id, livemode, profile_id, payable_amount_minor)
    do update set session_id = excluded.session_id, held_until = excluded.held_until where amount_locks.held_until <= ${lock.now}`;
  return rows.count === 1;
}

/** Lets one receipt of a channel at a time look for its match, so that two sources of one transfer see each other. Open sessions may still refer to the profile meanwhile. */
export async function lockChannel(tx: Tx, tenant: Tenant, channel: Channel): Promise<void> {
  const profiles = await sql(tx)`
    select id from collection_profiles where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and channel = ${channel} for no key update`;
  // A channel that nobody has set up yet has no row of its own to hold.
  if (profiles.count === 0) await sql(tx)`select from projects where id = ${tenant.project_id} for no key update`;
}
