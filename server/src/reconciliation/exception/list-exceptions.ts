import { type ExceptionFilters, findException, listExceptionRows, type ShownException } from "#orders/index.ts";
import { type Ctx, type Page, type PageQuery, readPage, type Tenant } from "#platform/index.ts";

/** A page of the exceptions, newest first. Throws invalid_cursor for an id that isn't an exception of this tenant. */
export function listExceptions(ctx: Ctx, tenant: Tenant, query: PageQuery & { filters: ExceptionFilters }): Promise<Page<ShownException>> {
  return readPage(ctx.db, query, {
    find: (cut) => listExceptionRows(ctx.db, tenant, { filters: query.filters, cut }),
    place: (id) => findException(ctx.db, tenant, id),
  });
}
