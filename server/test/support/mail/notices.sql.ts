import type { Db } from "#platform/index.ts";
import { sql } from "#platform/sql.ts";

export interface StoredNotice {
  id: string;
  kind: string;
  recipient: string;
  params: string;
  state: string;
  reason: string | null;
  due_at: Date;
}

/** Notices of a kind, oldest first. */
export async function listNotices(db: Db, kind: string): Promise<StoredNotice[]> {
  return sql(db)<StoredNotice>`select id, kind, recipient, params, state, reason, due_at from notices where kind = ${kind} order by id`;
}

export async function countNotices(db: Db, kind: string): Promise<number> {
  const [row] = await sql(db)<{ count: number }>`select count(*)::int as count from notices where kind = ${kind}`;
  return row?.count ?? 0;
}
