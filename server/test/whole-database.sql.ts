import type { Db } from "#platform/index.ts";
import { runStatement } from "./statement.sql.ts";

/** Bookkeeping that a refused request may touch: when a key was last used is one. */
const beside = ["schema_migrations", "flat_path_uses", "api_keys"];

/** One number for everything that the database holds: it differs after any change to any row. */
export async function fingerprintDatabase(db: Db): Promise<string> {
  const tables = await runStatement<{ name: string }>(db, "select table_name as name from information_schema.tables where table_schema = 'public' order by 1");
  const sums = tables.filter(({ name }) => !beside.includes(name)).map(({ name }) => `(select coalesce(sum(hashtextextended(t::text, 0)), 0) from ${name} t)`);
  const [row] = await runStatement<{ all: string }>(db, `select concat_ws(' ', ${sums.join(", ")}) as all`);
  return row?.all ?? "";
}
