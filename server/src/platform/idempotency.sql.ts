import type { Claim } from "./idempotency.ts";
import { sql, type Tx } from "./sql.ts";

type KeyOf = Pick<Claim, "project_id" | "livemode" | "method" | "path" | "key">;

export async function insertKey(tx: Tx, claim: Claim, times: { now: Date; oldest: Date }): Promise<boolean> {
  await sql(tx)`set local lock_timeout = '2s'`;
  const rows = await sql(tx)`
    insert into idempotency_keys (project_id, livemode, method, path, key, fingerprint, created_at)
    values (${claim.project_id}, ${claim.livemode}, ${claim.method}, ${claim.path}, ${claim.key}, ${claim.fingerprint}, ${times.now})
    on conflict (project_id, livemode, method, path, key) do update
      set fingerprint = excluded.fingerprint, result = null, created_at = excluded.created_at
      where idempotency_keys.created_at < ${times.oldest}`;
  return rows.count === 1;
}

export async function findKey(tx: Tx, claim: KeyOf): Promise<{ fingerprint: string; result: string } | null> {
  const [row] = await sql(tx)<{ fingerprint: string; result: string }>`
    select fingerprint, coalesce(result, 'null') as result from idempotency_keys
    where project_id = ${claim.project_id} and livemode = ${claim.livemode}
      and method = ${claim.method} and path = ${claim.path} and key = ${claim.key}`;
  return row ?? null;
}

export async function updateKeyResult(tx: Tx, claim: KeyOf, result: string): Promise<void> {
  await sql(tx)`
    update idempotency_keys set result = ${result}
    where project_id = ${claim.project_id} and livemode = ${claim.livemode}
      and method = ${claim.method} and path = ${claim.path} and key = ${claim.key}`;
}

export async function deleteOldKeys(tx: Tx, oldest: Date, limit: number): Promise<number> {
  const rows = await sql(tx)`
    -- all tenants: keys end by age alone
    delete from idempotency_keys where ctid in (
      select ctid from idempotency_keys where created_at < ${oldest} limit ${limit} for update skip locked)`;
  return rows.count;
}
