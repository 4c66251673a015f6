import { type Db, type Fragment, sql } from "#platform/sql.ts";

/** The indexes that the planner reads for a statement that was written and not yet sent. */
export async function indexesOf(db: Db, statement: Fragment): Promise<string[]> {
  const [row] = await sql(db)<{ "QUERY PLAN": unknown }>`explain (format json) ${statement}`;
  return [...JSON.stringify(row).matchAll(/\\?"Index Name\\?":\s*\\?"(\w+)/g)].map(([, name = ""]) => name);
}
