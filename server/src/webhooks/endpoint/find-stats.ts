import type { Ctx, Tenant } from "#platform/index.ts";
import { type EndpointStats, listStats } from "./stats.sql.ts";

export type { EndpointStats } from "./stats.sql.ts";

/** The backlog is counted up to this limit; the success rate covers the most recent attempts. */
export const maxWaiting = 10_000;
export const newestAttempts = 100;

/** Delivery statistics of endpoints, by their ids; zeros for an endpoint without deliveries. */
export async function findStats(ctx: Ctx, tenant: Tenant, ids: string[]): Promise<Map<string, EndpointStats>> {
  const rows = ids.length === 0 ? [] : await listStats(ctx.db, tenant, { ids, maxWaiting, newest: newestAttempts });
  return new Map(rows.map((row) => [row.id, row]));
}
