import { type Db, type Fragment, sql } from "#platform/sql.ts";

/** The indexes that the planner uses for a statement that wasn't sent yet. */
export async function indexesOf(db: Db, statement: Fragment): Promise<string[]> {
  const [row] = await sql(db)<{ "QUERY PLAN": unknown }>`explain (format json) ${statement}`;
  return [...JSON.stringify(row).matchAll(/\\?"Index Name\\?":\s*\\?"(\w+)/g)].map(([, name = ""]) => name);
}

interface PlanNode {
  "Node Type": string;
  "Index Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Shared Hit Blocks": number;
  "Shared Read Blocks": number;
  Plans?: PlanNode[];
}

/** The cost of a statement that wasn't sent yet when it runs: blocks touched, and the rows of its largest step. */
export async function costOf(db: Db, statement: Fragment): Promise<{ blocks: number; rows: number }> {
  const [row] = await sql(db)<{ "QUERY PLAN": unknown }>`explain (analyze, buffers, format json) ${statement}`;
  const plan = row?.["QUERY PLAN"];
  const [{ Plan: top }] = (typeof plan === "string" ? JSON.parse(plan) : plan) as [{ Plan: PlanNode }];
  const rowsOf = (node: PlanNode): number => Math.max(node["Actual Rows"] * node["Actual Loops"], ...(node.Plans ?? []).map(rowsOf));
  return { blocks: top["Shared Hit Blocks"] + top["Shared Read Blocks"], rows: rowsOf(top) };
}
