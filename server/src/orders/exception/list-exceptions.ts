import { type Ctx, platformErrors, type Tenant } from "#platform/index.ts";
import type { Page, ShownException } from "../shapes.ts";
import { countExceptionRows, type ExceptionFilters, findException, listExceptionRows } from "./sql.ts";

/** A page of the exceptions inbox, newest first. Throws invalid_cursor for an id that is no exception of this tenant. */
export async function listExceptions(
  ctx: Ctx,
  tenant: Tenant,
  query: { starting_after?: string; ending_before?: string; limit: number; filters: ExceptionFilters; total?: boolean },
): Promise<Page<ShownException> & { total_count: number | null }> {
  const cursor = query.starting_after ?? query.ending_before;
  if (cursor !== undefined && (await findException(ctx.db, tenant, cursor)) === null) {
    throw platformErrors.invalid_cursor({ param: query.starting_after === undefined ? "ending_before" : "starting_after" });
  }
  const rows = await listExceptionRows(ctx.db, tenant, query);
  const page = rows.slice(0, query.limit);
  if (query.ending_before !== undefined) page.reverse();
  const total_count = query.total === true ? await countExceptionRows(ctx.db, tenant, query.filters) : null;
  return { rows: page, has_more: rows.length > query.limit, total_count };
}
