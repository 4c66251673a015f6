import { type Ctx, canonicalAddress, platformErrors, type Tenant } from "#platform/index.ts";
import type { Channel } from "./reasons.ts";
import { findSuppressionRow, listSuppressionRows, type SuppressionQuery, type SuppressionRow } from "./sql.ts";

/** An id (`sup_…`) or an address; for an address the channel counts, `email` without one. */
export interface SuppressionName {
  id: string;
  channel?: Channel;
}

/** One suppression that stands. Throws resource_missing. */
export async function findSuppression(ctx: Ctx, tenant: Tenant, named: SuppressionName): Promise<SuppressionRow> {
  const row = await findSuppressionRow(ctx.db, tenant, { id: canonicalAddress(named.id), channel: named.channel ?? "email", now: ctx.now() });
  if (row === null) throw platformErrors.resource_missing({ param: "id" });
  return row;
}

/** A page of what stands, newest first. Throws invalid_cursor for an id that is no suppression of this tenant. */
export async function listSuppressions(ctx: Ctx, tenant: Tenant, query: SuppressionQuery): Promise<{ rows: SuppressionRow[]; has_more: boolean }> {
  const now = ctx.now();
  const cursor = query.starting_after ?? query.ending_before;
  if (cursor !== undefined && (!cursor.startsWith("sup_") || (await findSuppressionRow(ctx.db, tenant, { id: cursor, channel: "email", now })) === null)) {
    throw platformErrors.invalid_cursor({ param: query.starting_after === undefined ? "ending_before" : "starting_after" });
  }
  const { address, ...others } = query.filters;
  const filters = address === undefined ? others : { ...others, address: address.map(canonicalAddress) };
  const rows = await listSuppressionRows(ctx.db, tenant, { ...query, filters, now });
  const page = rows.slice(0, query.limit);
  if (query.ending_before !== undefined) page.reverse();
  return { rows: page, has_more: rows.length > query.limit };
}
