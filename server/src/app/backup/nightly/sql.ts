import { type Db, sql } from "#platform/sql.ts";

export async function findDatabaseBytes(db: Db): Promise<number> {
  const [row] = await sql(db)<{ bytes: number }>`select pg_database_size(current_database())::float8 as bytes`;
  return row?.bytes ?? 0;
}

/** The id that this database was created with. */
export async function findSystemId(db: Db): Promise<string> {
  const [row] = await sql(db)<{ id: string }>`select system_identifier::text as id from pg_control_system()`;
  return row?.id ?? "";
}
