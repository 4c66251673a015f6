import { type Db, type Fragment, sql } from "#platform/sql.ts";

/** The indexes that the planner reads for a statement that was written and not yet sent. */
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

/** What a statement that was written and not yet sent costs when it runs: blocks touched, and rows that its largest step had in hand. */
export async function costOf(db: Db, statement: Fragment): Promise<{ blocks: number; rows: number }> {
  const [row] = await sql(db)<{ "QUERY PLAN": unknown }>`explain (analyze, buffers, format json) ${statement}`;
  const plan = row?.["QUERY PLAN"];
  const [{ Plan: top }] = (typeof plan === "string" ? JSON.parse(plan) : plan) as [{ Plan: PlanNode }];
  const rowsOf = (node: PlanNode): number => Math.max(node["Actual Rows"] * node["Actual Loops"], ...(node.Plans ?? []).map(rowsOf));
  return { blocks: top["Shared Hit Blocks"] + top["Shared Read Blocks"], rows: rowsOf(top) };
}
