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

/** Makes an endpoint look as if it had failed since this time. */
export async function updateFailingSince(db: Db, id: string, since: Date): Promise<void> {
  await sql(db)`update webhook_endpoints set failing_since = ${since} where id = ${id}`;
}

/** How often an endpoint's merchant was warned that it fails. */
export async function countWarnings(db: Db, id: string): Promise<number> {
  const [row] = await sql(db)<{ warnings: number }>`select warnings from webhook_endpoints where id = ${id}`;
  return row?.warnings ?? 0;
}
