import { type Db, sql } from "#platform/sql.ts";

/** The audit log's entries about one object, oldest first; for tests. */
export async function auditedActions(
  db: Db,
  objectId: string,
): Promise<{ action: string; actor_id: string; detail: Record<string, unknown> }[]> {
  return sql(db)<{ action: string; actor_id: string; detail: Record<string, unknown> }>`
    select action, actor_id, detail from audit_log where object_id = ${objectId} order by id -- all tenants: one object, by its id`;
}

/** Kinds of the notices left for a merchant; for tests. */
export async function noticesSent(db: Db, recipient: string): Promise<string[]> {
  const rows = await sql(db)<{
    kind: string;
  }>`select kind from notices where recipient = ${recipient} and kind like 'collection%' order by id`;
  return rows.map((row) => row.kind);
}
