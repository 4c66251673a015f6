import type { Claim } from "../context.ts";
import { type Db, type Fragment, joinJson, type Pipe, pipeline, type Sent, send, sql, type Tx } from "../sql.ts";

export type KeyOf = Pick<Claim, "project_id" | "livemode" | "method" | "path" | "key">;

const keptHours = 72;

/** What was written before this is forgotten. */
const keptSince = (db: Db | Pipe): Fragment => sql(db)`app_now() - ${keptHours} * interval '1 hour'`;

/**
 * False when the key is there already. Waits two seconds at most for somebody who is writing it; the bound holds for this statement alone, because a
 * later wait is for something else than the key.
 */
export async function insertKey(tx: Tx, claim: Claim): Promise<boolean> {
  const [isNew] = await pipeline(tx, (pipe) => {
    updateKeyWait(pipe, "2s");
    const inserted = send(pipe, insertion(pipe, claim), (rows) => rows.count === 1);
    updateKeyWait(pipe, null);
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
      where idempotency_keys.created_at < ${keptSince(pipe)}`;
}

/** null: as long as any other wait. */
function updateKeyWait(pipe: Pipe, wait: "2s" | null): void {
  send(pipe, wait === null ? sql(pipe)`set local lock_timeout to default` : sql(pipe)`set local lock_timeout = '2s'`, () => {});
}

/** `kept`: it is not yet past its 72 hours. */
export async function findKey(db: Db, claim: KeyOf): Promise<{ fingerprint: string; result: string; kept: boolean } | null> {
  const [row] = await sql(db)<{ fingerprint: string; result: string; kept: boolean }>`
    select fingerprint, coalesce(result, 'null') as result, created_at >= ${keptSince(db)} as kept from idempotency_keys
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

export async function deleteOldKeys(tx: Tx, limit: number): Promise<number> {
  const rows = await sql(tx)`
    -- all tenants: keys end by age alone
    delete from idempotency_keys where ctid in (
      select ctid from idempotency_keys where created_at < ${keptSince(tx)} limit ${limit} for update skip locked)`;
  return rows.count;
}

export interface ClaimedResult {
  claim: Claim;
  result: string;
}

/** As `findKey`, but `result` is null while the key is only held. */
export async function findHeldKey(db: Db, claim: KeyOf): Promise<{ fingerprint: string; result: string | null } | null> {
  const [row] = await sql(db)<{ fingerprint: string; result: string | null }>`
    select fingerprint, result from idempotency_keys
    where project_id = ${claim.project_id} and livemode = ${claim.livemode}
      and method = ${claim.method} and path = ${claim.path} and key = ${claim.key}`;
  return row ?? null;
}

/** Writes claims with their results at once; answers those that were new. */
export function insertClaims<On extends Tx | Pipe>(tx: On, rows: ClaimedResult[]): Sent<On, KeyOf[]> {
  const claim = <K extends keyof Claim>(name: K) => rows.map((row) => row.claim[name]);
  return send(
    tx,
    sql(tx)<KeyOf>`
    -- all tenants: a group commit holds requests of many; each row carries its own
    insert into idempotency_keys (project_id, livemode, method, path, key, fingerprint, result, created_at)
    select project_id, livemode, method, path, key, fingerprint, result, app_now()
    from unnest(${claim("project_id")}::text[], ${claim("livemode").map(String)}::text[]::boolean[], ${claim("method")}::text[], ${claim("path")}::text[], ${claim("key")}::text[],
      ${claim("fingerprint")}::text[], string_to_array(${joinJson(rows.map((row) => row.result))}, chr(31))) as row (project_id, livemode, method, path, key, fingerprint, result)
    on conflict (project_id, livemode, method, path, key) do update
      set fingerprint = excluded.fingerprint, result = excluded.result, created_at = excluded.created_at
      where idempotency_keys.created_at < ${keptSince(tx)}
    returning project_id, livemode, method, path, key`,
    (rows) => rows,
  );
}

export async function deleteKey(tx: Tx, claim: KeyOf): Promise<void> {
  await sql(tx)`
    delete from idempotency_keys
    where project_id = ${claim.project_id} and livemode = ${claim.livemode}
      and method = ${claim.method} and path = ${claim.path} and key = ${claim.key}`;
}
