import { type Db, sql } from "#platform/sql.ts";

export async function findDatabaseBytes(db: Db): Promise<number> {
  const [row] = await sql(db)<{ bytes: number }>`select pg_database_size(current_database())::float8 as bytes`;
  return row?.bytes ?? 0;
}
