import { type Db, sql } from "#platform/sql.ts";

/** Number of applied migrations, and whether the server is a standby: any result means that the database can be read. */
export async function findReadiness(db: Db): Promise<{ migrations: number; isStandby: boolean }> {
  const [row] = await sql(db)<{ migrations: number; isStandby: boolean }>`
    select count(*) as migrations, pg_is_in_recovery() as "isStandby" from schema_migrations`;
  return row ?? { migrations: 0, isStandby: false };
}
