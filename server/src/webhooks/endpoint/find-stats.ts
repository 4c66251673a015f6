import type { Ctx, Tenant } from "#platform/index.ts";
import { type EndpointStats, listStats } from "./stats.sql.ts";

export type { EndpointStats } from "./stats.sql.ts";

/** A backlog is counted up to here, and the success rate is that of the newest attempts. */
export const maxWaiting = 10_000;
export const newestAttempts = 100;

/** How deliveries to some endpoints have been going, by their ids; an endpoint that was sent nothing yet has zeros. */
export async function findStats(ctx: Ctx, tenant: Tenant, ids: string[]): Promise<Map<string, EndpointStats>> {
  const rows = ids.length === 0 ? [] : await listStats(ctx.db, tenant, { ids, maxWaiting, newest: newestAttempts });
  return new Map(rows.map((row) => [row.id, row]));
}
