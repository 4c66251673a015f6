import type { Db } from "#platform/index.ts";
import { sql } from "#platform/sql.ts";

/** Columns of the schema that can contain a text, as `table.column`. */
async function listTextColumns(db: Db): Promise<{ table: string; column: string }[]> {
  return sql(db)<{ table: string; column: string }>`
    select c.table_name as "table", c.column_name as "column" from information_schema.columns c
      join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = current_schema() and t.table_type = 'BASE TABLE'
      and c.data_type in ('text', 'jsonb', 'ARRAY', 'character varying')`;
}

/** Columns with a value that looks as if a numbered key had sealed it, also inside JSON. */
export async function listColumnsWithSealed(db: Db): Promise<string[]> {
  const found: string[] = [];
  for (const { table, column } of await listTextColumns(db)) {
    const statement = `select 1 as found from "${table}" where "${column}"::text ~
      '(^|["{,])(v1\\.[0-9]+\\.[A-Za-z0-9_-]{16}\\.|\\$ba\\$[0-9]+\\$)' limit 1`;
    const parts = [statement];
    const rows = await sql(db)<{ found: number }>(Object.assign(parts, { raw: parts }) as unknown as TemplateStringsArray);
    if (rows.length > 0) found.push(`${table}.${column}`);
  }
  return found.sort();
}
