import { type Db, sql } from "#platform/sql.ts";

/** Number of applied migrations: an answer at all means that the database can serve. */
export async function countMigrations(db: Db): Promise<number> {
  const [row] = await sql(db)<{ count: number }>`select count(*) as count from schema_migrations`;
  return row?.count ?? 0;
}
