import { type Db, sql } from "../../sql.ts";

/** A table to copy. */
export interface CopyTable {
  name: string;
  /** Columns with given values; generated ones are computed again. */
  columns: string[];
  /** The size of its rows on disk, without indexes. */
  bytes: number;
}

/** Every table of the connection's schema that has its own rows: for a partitioned table, its partitions. */
export async function listCopyTables(db: Db): Promise<CopyTable[]> {
  return await sql(db)<CopyTable>`
    select c.relname::text as name, pg_table_size(c.oid)::float8 as bytes, array(
      select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
        order by a.attnum) as columns
    from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    order by c.relname`;
}

/** Every sequence of the connection's schema, including those of identity columns. */
export async function listSequences(db: Db): Promise<string[]> {
  const rows = await sql(db)<{ name: string }>`
    select c.relname::text as name from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind = 'S'
      order by c.relname`;
  return rows.map(({ name }) => name);
}
