import { type Db, known, type Pipe, type Sent, send, sql } from "#platform/sql.ts";

/** Records files that are removed after a while unless a message takes ownership of them. */
export async function insertLooseFiles(db: Db, keys: string[], afterMs: number): Promise<void> {
  if (keys.length === 0) return;
  await sql(db)`
    insert into loose_mail_files (storage_key, due_at)
    select key, app_now() + ${afterMs} * interval '1 millisecond' from unnest(${keys}::text[]) as given (key)
    on conflict (storage_key) do update set due_at = excluded.due_at`;
}

/**
 * Makes files that are still loose due for removal now; owned ones remain. Waits for a transaction that is about to own them. Returns the
 * loose ones.
 */
export async function updateLooseFiles(db: Db, keys: string[]): Promise<string[]> {
  const rows = await sql(db)<{ storage_key: string }>`
    update loose_mail_files set due_at = app_now() where storage_key = any (${keys}::text[]) returning storage_key`;
  return rows.map((row) => row.storage_key);
}

export function deleteLooseFiles<On extends Db | Pipe>(db: On, keys: string[]): Sent<On, number> {
  if (keys.length === 0) return known(db, 0);
  return send(db, sql(db)`delete from loose_mail_files where storage_key = any (${keys}::text[])`, (rows) => rows.count);
}

export async function listLooseFiles(db: Db, limit: number): Promise<string[]> {
  const rows = await sql(db)<{ storage_key: string }>`
    select storage_key from loose_mail_files where due_at <= app_now() order by due_at limit ${limit}`;
  return rows.map((row) => row.storage_key);
}
