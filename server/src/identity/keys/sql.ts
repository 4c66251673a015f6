import type { Tenant } from "#platform/index.ts";
import { byKey, type Db, sql, type Tx } from "#platform/sql.ts";
import type { MerchantRow } from "../merchants/sql.ts";

export interface ApiKeyRow extends Tenant {
  id: string;
  name: string;
  prefix: string;
  last4: string;
  permissions: string[];
  allowed_ips: string[];
  expires_at: Date | null;
  last_used_at: Date | null;
  revoked_at: Date | null;
  rotated_from: string | null;
  /** The account whose transfers it may report, as `channel:account`. */
  receiving_account: string | null;
  created_by: string | null;
  version: number;
  created_at: Date;
  updated_at: Date;
}

export interface KeyOwnerRow extends ApiKeyRow {
  merchant_id: string;
  merchant_name: string;
  messaging_tier: MerchantRow["messaging_tier"];
  verification_status: string;
  /** The database's time when it was read. */
  now: Date;
}

export async function findKeyByHash(db: Db, hash: Buffer): Promise<KeyOwnerRow | null> {
  const [row] = await byKey(db)<KeyOwnerRow>`
    -- all tenants: the key itself says whose it is
    select k.id, k.project_id, k.livemode, k.name, k.prefix, k.last4, k.permissions, k.allowed_ips, k.expires_at, k.last_used_at,
      k.revoked_at, k.rotated_from, k.receiving_account, k.created_by, k.version, k.created_at, k.updated_at,
      m.id as merchant_id, m.display_name as merchant_name, m.messaging_tier, m.verification_status, app_now() as now
    from api_keys k join projects p on p.id = k.project_id join merchants m on m.id = p.merchant_id
    where k.secret_hash = ${hash}`;
  return row ?? null;
}

export async function insertApiKey(
  tx: Tx,
  row: Omit<ApiKeyRow, "last_used_at" | "revoked_at" | "version" | "updated_at">,
  hash: Buffer,
): Promise<ApiKeyRow> {
  const [inserted] = await sql(tx)<ApiKeyRow>`
    insert into api_keys (project_id, livemode, id, name, secret_hash, prefix, last4, permissions, allowed_ips, expires_at, rotated_from,
      receiving_account, created_by, created_at, updated_at)
    values (${row.project_id}, ${row.livemode}, ${row.id}, ${row.name}, ${hash}, ${row.prefix}, ${row.last4}, ${row.permissions}::text[],
      ${row.allowed_ips}::text[], ${row.expires_at}, ${row.rotated_from}, ${row.receiving_account}, ${row.created_by},
      ${row.created_at}, ${row.created_at})
    returning id, project_id, livemode, name, prefix, last4, permissions, allowed_ips, expires_at, last_used_at, revoked_at, rotated_from,
      receiving_account, created_by, version, created_at, updated_at`;
  return inserted as ApiKeyRow;
}

/** Locks the project, so that concurrent requests can't each create the last key allowed; returns how many are active. */
export async function lockKeyCount(tx: Tx, tenant: Tenant): Promise<number> {
  await sql(tx)`select from projects where id = ${tenant.project_id} for no key update`;
  const [row] = await sql(tx)<{ count: number }>`
    select count(*)::int as count from api_keys where project_id = ${tenant.project_id} and livemode = ${tenant.livemode}
      and (revoked_at is null or revoked_at > app_now()) and (expires_at is null or expires_at > app_now())`;
  return row?.count ?? 0;
}

export async function listKeys(db: Db, tenant: Tenant): Promise<ApiKeyRow[]> {
  return await sql(db)<ApiKeyRow>`
    select id, project_id, livemode, name, prefix, last4, permissions, allowed_ips, expires_at, last_used_at, revoked_at, rotated_from,
      receiving_account, created_by, version, created_at, updated_at
    from api_keys where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} order by id desc`;
}

/** A merchant's active keys that one person created, in all of its projects, newest first. */
export async function listKeysMadeBy(db: Db, given: { merchant_id: string; person_id: string }): Promise<ApiKeyRow[]> {
  return await sql(db)<ApiKeyRow>`
    -- all tenants: a member's keys are in every project of the merchant
    select k.id, k.project_id, k.livemode, k.name, k.prefix, k.last4, k.permissions, k.allowed_ips, k.expires_at, k.last_used_at,
      k.revoked_at, k.rotated_from, k.receiving_account, k.created_by, k.version, k.created_at, k.updated_at
    from api_keys k join projects p on p.id = k.project_id
    where p.merchant_id = ${given.merchant_id} and k.created_by = ${given.person_id}
      and (k.revoked_at is null or k.revoked_at > app_now()) and (k.expires_at is null or k.expires_at > app_now())
    order by k.id desc`;
}

/** What a key may do, and from where. */
export type KeyReach = Pick<ApiKeyRow, "id" | "permissions" | "allowed_ips">;

/** Of the given keys, those neither revoked nor expired; a key that is being replaced works until the end of its overlap. */
export async function listKeysInForce(db: Db, ids: string[]): Promise<KeyReach[]> {
  return await sql(db)<KeyReach>`
    -- all tenants: open streams of every project are looked after together
    select id, permissions, allowed_ips from api_keys where id = any(${ids}::text[]) and (revoked_at is null or revoked_at > app_now())
      and (expires_at is null or expires_at > app_now())`;
}

/** Also immediately ends a key whose overlap after a rotation is still running. */
export async function updateKeyRevoked(tx: Tx, tenant: Tenant, given: { id: string }): Promise<ApiKeyRow | null> {
  const [row] = await sql(tx)<ApiKeyRow>`
    update api_keys set revoked_at = least(revoked_at, app_now()), updated_at = app_now(), version = version + 1
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and id = ${given.id}
    returning id, project_id, livemode, name, prefix, last4, permissions, allowed_ips, expires_at, last_used_at, revoked_at, rotated_from,
      receiving_account, created_by, version, created_at, updated_at`;
  return row ?? null;
}

export async function updateKeysUsed(db: Db, uses: { hash: Buffer; at: Date }[]): Promise<void> {
  await sql(db)`
    -- all tenants: one statement writes the last use of every key seen since the previous one
    update api_keys k set last_used_at = u.at
    from unnest(${uses.map((use) => use.hash.toString("hex"))}::text[], ${uses.map((use) => use.at.toISOString())}::timestamptz[])
      as u (hash, at)
    where k.secret_hash = decode(u.hash, 'hex') and (k.last_used_at is null or k.last_used_at < u.at)`;
}

export interface FlatUse extends Tenant {
  key_id: string;
  endpoint: string;
  uses: number;
  last_used_at: Date;
}

export async function insertFlatUses(db: Db, uses: FlatUse[]): Promise<void> {
  const sorted = uses.toSorted((left, right) => (`${left.key_id} ${left.endpoint}` < `${right.key_id} ${right.endpoint}` ? -1 : 1));
  await sql(db)`
    insert into flat_path_uses as f (project_id, livemode, key_id, endpoint, uses, last_used_at)
    select * from unnest(${sorted.map((use) => use.project_id)}::text[], ${sorted.map((use) => String(use.livemode))}::text[]::boolean[],
      ${sorted.map((use) => use.key_id)}::text[], ${sorted.map((use) => use.endpoint)}::text[], ${sorted.map((use) => use.uses)}::bigint[],
      ${sorted.map((use) => use.last_used_at.toISOString())}::timestamptz[])
    on conflict (project_id, livemode, key_id, endpoint) do update set uses = f.uses + excluded.uses, last_used_at = excluded.last_used_at`;
}

export async function lockKey(tx: Tx, tenant: Tenant, id: string): Promise<ApiKeyRow | null> {
  const [row] = await sql(tx)<ApiKeyRow>`
    select id, project_id, livemode, name, prefix, last4, permissions, allowed_ips, expires_at, last_used_at, revoked_at, rotated_from,
      receiving_account, created_by, version, created_at, updated_at
    from api_keys where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and id = ${id} for update`;
  return row ?? null;
}

export async function updateKey(
  tx: Tx,
  tenant: Tenant,
  row: Pick<ApiKeyRow, "id" | "name" | "permissions" | "allowed_ips" | "expires_at" | "receiving_account" | "revoked_at" | "updated_at">,
): Promise<ApiKeyRow> {
  const [changed] = await sql(tx)<ApiKeyRow>`
    update api_keys set name = ${row.name}, permissions = ${row.permissions}::text[], allowed_ips = ${row.allowed_ips}::text[],
      expires_at = ${row.expires_at}, receiving_account = ${row.receiving_account}, revoked_at = ${row.revoked_at},
      updated_at = ${row.updated_at}, version = version + 1
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and id = ${row.id}
    returning id, project_id, livemode, name, prefix, last4, permissions, allowed_ips, expires_at, last_used_at, revoked_at, rotated_from,
      receiving_account, created_by, version, created_at, updated_at`;
  return changed as ApiKeyRow;
}

export interface FlatPathUse extends Tenant {
  key_id: string;
  endpoint: string;
  uses: number;
  last_used_at: Date;
}

export async function listFlatUses(db: Db, tenant: Tenant): Promise<FlatPathUse[]> {
  return await sql(db)<FlatPathUse>`
    select project_id, livemode, key_id, endpoint, uses, last_used_at from flat_path_uses
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} order by last_used_at desc limit 500`;
}

export interface LostKeyRow extends Tenant {
  id: string;
  name: string;
  last4: string;
  told_at: Date | null;
}

/**
 * Active LIVE keys that reported transfers with a permission that no longer covers it; with `unnotified` only those whose owners weren't
 * notified yet.
 */
export async function listLostReceiptKeys(db: Db, given: { unnotified: boolean }): Promise<LostKeyRow[]> {
  return await sql(db)<LostKeyRow>`
    -- all tenants: the upgrade looks at every project
    select project_id, livemode, id, name, last4, lost_receipts_told_at as told_at from api_keys
    where lost_receipts_at is not null and (${!given.unnotified} or lost_receipts_told_at is null)
      and not 'receipts:write' = any (permissions)
      and (revoked_at is null or revoked_at > app_now()) and (expires_at is null or expires_at > app_now())
    order by project_id, id limit 1000`;
}

/** False if another process has notified them in the meantime. */
export async function updateLostReceiptsNotified(tx: Tx, tenant: Tenant, given: { ids: string[] }): Promise<boolean> {
  const rows = await sql(tx)`
    update api_keys set lost_receipts_told_at = app_now()
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and id = any (${given.ids}::text[])
      and lost_receipts_told_at is null`;
  return rows.count > 0;
}
