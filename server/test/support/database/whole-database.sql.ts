import type { Db } from "#platform/index.ts";
import { runStatement } from "./statement.sql.ts";

/** Bookkeeping that a refused request may change, such as when a key was last used. */
const excluded = ["schema_migrations", "flat_path_uses", "api_keys"];

/** The statement for each database, which reads every table that it has. */
const statements = new WeakMap<Db, Promise<string>>();

/** A fingerprint of everything in the database: it differs after any change to any row. */
export async function fingerprintDatabase(db: Db): Promise<string> {
  const statement = statements.get(db) ?? composeStatement(db);
  statements.set(db, statement);
  const [row] = await runStatement<{ all: string }>(db, await statement);
  return row?.all ?? "";
}

/**
 * Reads each row's location and the transaction that wrote it there; every write changes them. Reading the rows' contents would cost
 * several times as much, and wouldn't detect a row that was rewritten without changes.
 */
async function composeStatement(db: Db): Promise<string> {
  const tables = await runStatement<{ name: string }>(
    db,
    "select table_name as name from information_schema.tables where table_schema = 'public' order by 1",
  );
  const sums = tables
    .filter(({ name }) => !excluded.includes(name))
    .map(({ name }) => `(select coalesce(sum(hashtidextended(t.ctid, t.xmin::text::int8)), 0) from ${name} t)`);
  return `select array_to_string(array[${sums.join(", ")}], ' ') as all`;
}
