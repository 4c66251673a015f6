import type { Claim } from "../context.ts";
import { type Db, type Fragment, firstRow, joinJson, type Pipe, pipeline, type Sent, send, sql, type Tx } from "../sql.ts";
import { updateLockWait } from "./lock-wait.sql.ts";

export type KeyOf = Pick<Claim, "project_id" | "livemode" | "method" | "path" | "key">;

const retentionHours = 72;
const keyWaitMs = 2_000;

/** Keys that were written before this time have expired. */
const retainedSince = (db: Db | Pipe): Fragment => sql(db)`app_now() - ${retentionHours} * interval '1 hour'`;

/**
 * False if the key already exists. Waits at most two seconds for a transaction that is writing it; the limit only applies to this
 * statement, because a later wait has another reason.
 */
export async function insertKey(tx: Tx, claim: Claim): Promise<boolean> {
  const [isNew] = await pipeline(tx, (pipe) => {
    updateLockWait(pipe, keyWaitMs);
    const inserted = send(pipe, insertion(pipe, claim), (rows) => rows.count === 1);
    updateLockWait(pipe, null);
    return [inserted];
  });
  return isNew;
}

function insertion(pipe: Pipe, claim: Claim) {
  return sql(pipe)`
    insert into idempotency_keys (project_id, livemode, method, path, key, fingerprint, created_at)
    values (${claim.project_id}, ${claim.livemode}, ${claim.method}, ${claim.path}, ${claim.key}, ${claim.fingerprint}, app_now())
    on conflict (project_id, livemode, method, path, key) do update
      set fingerprint = excluded.fingerprint, result = null, created_at = excluded.created_at
      where idempotency_keys.created_at < ${retainedSince(pipe)}`;
}

export interface StoredKey {
  fingerprint: string;
  result: string;
  /** False while the key is only claimed. */
  finished: boolean;
  /** Whether it is younger than 72 hours. */
  kept: boolean;
}

export function findKey<On extends Db | Pipe>(on: On, claim: KeyOf): Sent<On, StoredKey | null> {
  return send(
    on,
    sql(on)<StoredKey>`
    select fingerprint, coalesce(result, 'null') as result, result is not null as finished,
      created_at >= ${retainedSince(on)} as kept from idempotency_keys
    where project_id = ${claim.project_id} and livemode = ${claim.livemode}
      and method = ${claim.method} and path = ${claim.path} and key = ${claim.key}`,
    firstRow,
  );
}

/** False if there is no such key. */
export async function updateKeyResult(tx: Tx, claim: KeyOf, result: string): Promise<boolean> {
  const rows = await sql(tx)`
    update idempotency_keys set result = ${result}
    where project_id = ${claim.project_id} and livemode = ${claim.livemode}
      and method = ${claim.method} and path = ${claim.path} and key = ${claim.key}`;
  return rows.count === 1;
}

export async function deleteOldKeys(tx: Tx, limit: number): Promise<number> {
  const rows = await sql(tx)`
    -- all tenants: keys end by age alone
    delete from idempotency_keys where ctid in (
      select ctid from idempotency_keys where created_at < ${retainedSince(tx)} limit ${limit} for update skip locked)`;
  return rows.count;
}

export interface ClaimedResult {
  claim: Claim;
  /** Null if it isn't known yet: the key is claimed. */
  result: string | null;
}

/** Like `findKey`, but `result` is null while the key is only claimed. */
export async function findHeldKey(db: Db, claim: KeyOf): Promise<{ fingerprint: string; result: string | null } | null> {
  const [row] = await sql(db)<{ fingerprint: string; result: string | null }>`
    select fingerprint, result from idempotency_keys
    where project_id = ${claim.project_id} and livemode = ${claim.livemode}
      and method = ${claim.method} and path = ${claim.path} and key = ${claim.key}`;
  return row ?? null;
}

/** Writes claims with their results at once; returns the new ones. */
export async function insertClaims(tx: Tx, rows: ClaimedResult[]): Promise<KeyOf[]> {
  const claim = <K extends keyof Claim>(name: K) => rows.map((row) => row.claim[name]);
  return sql(tx)<KeyOf>`
    -- all tenants: a group commit holds requests of many; each row carries its own
    insert into idempotency_keys (project_id, livemode, method, path, key, fingerprint, result, created_at)
    select project_id, livemode, method, path, key, fingerprint, nullif(result, ''), app_now()
    from unnest(${claim("project_id")}::text[], ${claim("livemode").map(String)}::text[]::boolean[], ${claim("method")}::text[],
      ${claim("path")}::text[], ${claim("key")}::text[], ${claim("fingerprint")}::text[],
      string_to_array(${joinJson(rows.map((row) => row.result ?? ""))}, chr(31)))
      as row (project_id, livemode, method, path, key, fingerprint, result)
    on conflict (project_id, livemode, method, path, key) do update
      set fingerprint = excluded.fingerprint, result = excluded.result, created_at = excluded.created_at
      where idempotency_keys.created_at < ${retainedSince(tx)}
    returning project_id, livemode, method, path, key`;
}

export async function deleteKey(tx: Tx, claim: KeyOf): Promise<void> {
  await sql(tx)`
    delete from idempotency_keys
    where project_id = ${claim.project_id} and livemode = ${claim.livemode}
      and method = ${claim.method} and path = ${claim.path} and key = ${claim.key}`;
}

/** Keeps a key that another request has finished. */
export async function deleteUnfinishedKey(tx: Tx, claim: KeyOf): Promise<void> {
  await sql(tx)`
    delete from idempotency_keys
    where project_id = ${claim.project_id} and livemode = ${claim.livemode}
      and method = ${claim.method} and path = ${claim.path} and key = ${claim.key} and result is null`;
}
