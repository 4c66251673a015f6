import { type Db, sql } from "#platform/sql.ts";

export async function listMasterKeys(db: Db): Promise<{ number: number; fingerprint: string }[]> {
  return sql(db)<{ number: number; fingerprint: string }>`select number, fingerprint from master_keys order by number`;
}

/** The first process that names a key writes it down. */
export async function insertMasterKey(db: Db, given: { number: number; fingerprint: string; now: Date }): Promise<void> {
  await sql(db)`
    insert into master_keys (number, fingerprint, created_at) values (${given.number}, ${given.fingerprint}, ${given.now})
    on conflict (number) do nothing`;
}

/** A sealed value and where it lies. */
export interface SealedValue {
  table: string;
  column: string;
  row: string;
  sealed: string;
}

/** One value of each kind that this key has sealed. */
export async function listSealedBy(db: Db, number: number): Promise<SealedValue[]> {
  const by = `v1.${number}.%`;
  return sql(db)<SealedValue>`
    -- all tenants: a master key seals the secrets of all
    (select 'domains' as "table", 'private_key' as "column", id as row, private_key as sealed from domains where private_key like ${by} limit 1)
    union all
    (select 'webhook_endpoints', 'secret', id, secret from webhook_endpoints where secret like ${by} limit 1)
    union all
    (select 'callback_secrets', 'secret', project_id || ' ' || livemode, secret from callback_secrets where secret like ${by} limit 1)
    union all
    (select 'notices', 'params', id, params from notices where params like ${by} limit 1)`;
}
