import { type Db, sql } from "../../sql.ts";
import type { Migration } from "./read-migrations.ts";

/** An applied migration. */
export interface Applied {
  number: number;
  /** Null if the version that applied it stored none. */
  checksum: string | null;
  /** The oldest program that may run on this schema, as the highest migration it knows. */
  min_program: number;
}

/** Applied migrations in order; empty if the database was never migrated. Also reads the table as earlier versions created it. */
export async function listApplied(db: Db): Promise<Applied[]> {
  try {
    return await sql(db)<Applied>`
      select m.number, to_jsonb(m)->>'checksum' as checksum, coalesce((to_jsonb(m)->>'min_program')::int, 0) as min_program
      from schema_migrations m
      order by m.number`;
  } catch (error) {
    if ((error as { code?: string }).code === "42P01") return [];
    throw error;
  }
}

/** Uses today's files for migrations that were applied without checksums. */
export async function updateChecksum(db: Db, { number, checksum }: Migration): Promise<void> {
  await sql(db)`update schema_migrations set checksum = ${checksum} where number = ${number} and checksum is null`;
}

/** Records a migration as applied. */
export async function insertApplied(db: Db, { number, name, checksum, minProgram }: Migration): Promise<void> {
  await sql(db)`
    insert into schema_migrations (number, name, checksum, min_program)
    values (${number}, ${name}, ${checksum}, coalesce(${minProgram}::int, (select max(min_program) from schema_migrations), 0))`;
}

/** How many steps of a migration are done; none if its file has changed since. */
export async function insertSteps(db: Db, { number, checksum }: Migration): Promise<number> {
  const [row] = await sql(db)<{ steps_done: number }>`
    insert into schema_migration_steps as old (number, checksum, steps_done) values (${number}, ${checksum}, 0)
    on conflict (number) do update set checksum = excluded.checksum,
      steps_done = case when old.checksum = excluded.checksum then old.steps_done else 0 end
    returning steps_done`;
  return row?.steps_done ?? 0;
}

export async function updateSteps(db: Db, number: number, done: number): Promise<void> {
  await sql(db)`update schema_migration_steps set steps_done = ${done} where number = ${number}`;
}

export async function deleteSteps(db: Db, number: number): Promise<void> {
  await sql(db)`delete from schema_migration_steps where number = ${number}`;
}

export async function updateLockTimeout(db: Db, given: { timeout: string; inTransaction: boolean }): Promise<void> {
  await sql(db)`select set_config('lock_timeout', ${given.timeout}, ${given.inTransaction})`;
}

/** Whether an interrupted build left an index with this name. */
/** Whether the build of an index was finished or interrupted; null if there is no such index. */
export async function findBuild(db: Db, index: string): Promise<"finished" | "interrupted" | null> {
  const [row] = await sql(db)<{ indisvalid: boolean }>`select indisvalid from pg_index where indexrelid = to_regclass(${index})`;
  if (row === undefined) return null;
  return row.indisvalid ? "finished" : "interrupted";
}
