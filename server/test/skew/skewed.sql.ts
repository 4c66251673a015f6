import type { Db } from "#platform/index.ts";
import { sql } from "#platform/sql.ts";

/** How many orders of the database have this status. */
export async function countByStatus(db: Db, status: string): Promise<number> {
  const [row] = await sql(db)<{ count: number }>`select count(*)::int as count from orders where status = ${status}`;
  return row?.count ?? 0;
}

/** Every endpoint of the database. */
export async function listEndpoints(db: Db): Promise<string[]> {
  const rows = await sql(db)<{ id: string }>`select id from webhook_endpoints`;
  return rows.map(({ id }) => id);
}

/** How many events of this name there are. */
export async function countEvents(db: Db, event: string): Promise<number> {
  const [row] = await sql(db)<{ count: number }>`select count(*)::int as count from events where event = ${event}`;
  return row?.count ?? 0;
}
