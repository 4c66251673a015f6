import { type SealedColumn, sealedColumn } from "#platform/index.ts";
import { type ColumnsOf, columns, type Db, givenRows, sql, type Tx } from "#platform/sql.ts";

/** A master key as the database has it. */
export interface MasterKeyRow {
  number: number;
  fingerprint: string;
  /** Since when it was the current one; a later one may have replaced it. null: it only opens. */
  current_since: Date | null;
  /** Since when signatures with keys derived from it are invalid. */
  revoked_at: Date | null;
}

const keyColumns: ColumnsOf<MasterKeyRow> = columns("master_keys", "number, fingerprint, current_since, revoked_at");

/** Every master key that was ever used here. Those that were current are in that order, after the others. */
export async function listMasterKeys(db: Db): Promise<MasterKeyRow[]> {
  return sql(db)<MasterKeyRow>`select ${keyColumns} from master_keys order by current_since nulls first, number`;
}

/** Locks all master keys, so that concurrent additions and rotations run one after the other. */
export async function lockMasterKeys(tx: Tx): Promise<MasterKeyRow[]> {
  await sql(tx)`select from master_keys order by number for update`;
  return listMasterKeys(tx);
}

/** The first process that has a key stores it. */
export async function insertMasterKey(db: Db, given: { number: number; fingerprint: string; now: Date }): Promise<void> {
  await sql(db)`
    insert into master_keys (number, fingerprint, created_at) values (${given.number}, ${given.fingerprint}, ${given.now})
    on conflict (number) do nothing`;
}

/** Makes a key the current one, later than every other. With `first`, only if there is none yet. */
export async function updateCurrent(db: Db, given: { number: number; first: boolean }): Promise<void> {
  await sql(db)`
    update master_keys set current_since = greatest(app_now(), (select max(current_since) + interval '1 millisecond' from master_keys))
    where number = ${given.number}
      and (not ${given.first}::boolean or not exists (select from master_keys where current_since is not null))`;
}

export async function updateRevoked(tx: Tx, number: number): Promise<void> {
  await sql(tx)`update master_keys set revoked_at = app_now() where number = ${number} and revoked_at is null`;
}

/** A key derived from a master key, sealed with the current one. */
export interface DerivedKey {
  number: number;
  purpose: string;
  sealed: string;
}

export async function listDerivedKeys(db: Db): Promise<DerivedKey[]> {
  return sql(db)<DerivedKey>`select number, purpose, sealed from derived_keys order by number, purpose`;
}

/** Keys that are already stored remain unchanged. */
export async function insertDerivedKeys(db: Db, rows: readonly DerivedKey[]): Promise<void> {
  await sql(db)`
    insert into derived_keys (number, purpose, sealed, created_at)
    select g.number, g.purpose, g.sealed, app_now() from ${givenRows("g", { number: "bigint", purpose: "text", sealed: "text" }, rows)}
    on conflict (number, purpose) do nothing`;
}

export async function deleteDerivedKeys(tx: Tx, number: number): Promise<void> {
  await sql(tx)`delete from derived_keys where number = ${number}`;
}

/** The column with the derived keys. */
export const derivedKeySecrets: readonly SealedColumn[] = [
  sealedColumn({
    name: "derived_keys.sealed",
    table: (tag) => tag`derived_keys`,
    column: (tag) => tag`sealed`,
    row: (tag) => tag`number || ' ' || purpose`,
    // Revoking their master keys ends them.
    exposes: null,
  }),
];

/** A running process and the master keys that it has. */
export interface KeyHolder {
  id: string;
  /** How operators recognize it. */
  name: string;
  numbers: number[];
  /** The key that everything it seals is sealed with, including what it hasn't written yet. */
  sealing: number;
  signing: number;
}

/** Records that a process is alive and which keys it has. */
export async function insertHolder(db: Db, holder: KeyHolder): Promise<void> {
  await sql(db)`
    insert into master_key_holders (id, name, numbers, sealing, signing, seen_at)
    values (${holder.id}, ${holder.name}, ${holder.numbers}::int[], ${holder.sealing}, ${holder.signing}, app_now())
    on conflict (id) do update set numbers = excluded.numbers, sealing = excluded.sealing, signing = excluded.signing,
      seen_at = excluded.seen_at`;
}

/** Processes that were alive a moment ago. One that was seen at a time to come died while the clock was ahead: all others report again. */
export async function listHolders(db: Db, withinMs: number): Promise<KeyHolder[]> {
  return sql(db)<KeyHolder>`
    select id, name, numbers, sealing, signing from master_key_holders
    where seen_at > app_now() - ${withinMs} * interval '1 millisecond' and seen_at < app_now() + interval '1 minute' order by name, id`;
}

export async function deleteHolder(db: Db, id: string): Promise<void> {
  await sql(db)`delete from master_key_holders where id = ${id}`;
}

/** Removes processes that died long ago, or while the clock was ahead. */
export async function deleteDeadHolders(db: Db): Promise<void> {
  await sql(db)`
    delete from master_key_holders where seen_at < app_now() - interval '1 day' or seen_at > app_now() + interval '1 minute'`;
}
