import type pg from "pg";

const allowed = `
  select c.conrelid::regclass::text as table_name, (regexp_match(pg_get_constraintdef(c.oid),
    '^CHECK \\(\\((\\w+) = ANY \\(ARRAY\\[(.*)\\]\\)\\)\\)'))[1:2] as found
  from pg_constraint c where c.contype = 'c' and c.connamespace = 'public'::regnamespace order by 1`;

/** Values that a table's constraint allows and none of its rows has: `orders.status expired`. */
export async function listAbsentStates(admin: pg.Client): Promise<string[]> {
  const { rows } = await admin.query<{ table_name: string; found: [string, string] | null }>(allowed);
  const absent: string[] = [];
  for (const { table_name, found } of rows) {
    if (found === null) continue;
    const [column, list] = found;
    const { rows: there } = await admin.query<{ value: string }>(`select distinct ${column} as value from ${table_name}`);
    const values = new Set(there.map(({ value }) => value));
    for (const [, value = ""] of list.matchAll(/'([^']*)'::text/g)) if (!values.has(value)) absent.push(`${table_name}.${column} ${value}`);
  }
  return absent;
}
