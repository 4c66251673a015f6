import { type Ctx, type Page, type PageQuery, platformErrors, readPage, type Tenant } from "#platform/index.ts";
import { findCallRow } from "../rows.sql.ts";
import type { CallRow } from "../shapes.ts";
import { type CallFilters, listCallRows } from "./sql.ts";

/** One call. Throws resource_missing. */
export async function findCall(ctx: Ctx, tenant: Tenant, id: string): Promise<CallRow> {
  const call = await findCallRow(ctx.db, tenant, id);
  if (call === null) throw platformErrors.resource_missing({ param: "id" });
  return call;
}

/** A page of calls, newest first. Throws invalid_cursor for an id that isn't a call of this tenant. */
export function listCalls(ctx: Ctx, tenant: Tenant, query: PageQuery & { filters: CallFilters }): Promise<Page<CallRow>> {
  return readPage(ctx.db, query, {
    find: (cut) => listCallRows(ctx.db, tenant, { filters: query.filters, cut }),
    place: async (id) => (await findCallRow(ctx.db, tenant, id))?.id ?? null,
  });
}
