import { type Ctx, type Page, platformErrors, readPage, type Tenant } from "#platform/index.ts";
import type { Channel } from "../channel.ts";
import { findSuppressionById, findSuppressionRow, listSuppressionRows, type SuppressionQuery, type SuppressionRow } from "./sql.ts";

/** An id (`sup_…`) or an address; an address also needs the channel. */
export interface SuppressionName {
  id: string;
  channel: Channel;
}

/** One active suppression. Throws resource_missing. */
export async function findSuppression(ctx: Ctx, tenant: Tenant, named: SuppressionName): Promise<SuppressionRow> {
  const row = await findSuppressionRow(ctx.db, tenant, { id: named.channel.addresses.canonical(named.id), channel: named.channel.name });
  if (row === null) throw platformErrors.resource_missing({ param: "id" });
  return row;
}

/** A page of active suppressions, newest first. Throws invalid_cursor for an id that is no suppression of this tenant. */
export function listSuppressions(ctx: Ctx, tenant: Tenant, query: SuppressionQuery): Promise<Page<SuppressionRow>> {
  const { address, ...others } = query.filters;
  const channels = ctx.channels.all;
  const canonical = address?.flatMap((one) => channels.map(({ addresses }) => addresses.canonical(one)));
  const filters = canonical === undefined ? others : { ...others, address: canonical };
  return readPage(ctx.db, query, {
    find: (cut) => listSuppressionRows(ctx.db, tenant, { filters, cut, channels }),
    place: async (id) => (id.startsWith("sup_") ? findSuppressionById(ctx.db, tenant, id) : null),
  });
}
