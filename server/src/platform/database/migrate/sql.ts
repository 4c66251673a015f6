import { type Db, sql } from "../../sql.ts";

/** A migration that the database has. */
export interface Applied {
  number: number;
  /** Null where a version applied it that kept none. */
  checksum: string | null;
  /** The oldest program that may run on this schema, named by the highest migration it knows. */
  min_program: number;
}

/** What was applied, in order; empty where the database was never migrated. Reads the table as earlier versions made it, too. */
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
