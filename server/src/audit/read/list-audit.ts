import { type Ctx, type Page, type PageQuery, readPage } from "#platform/index.ts";
import { type AuditFilters, type AuditRow, findAuditId, listAuditRows } from "./sql.ts";

/** The audit log, newest first. Throws invalid_cursor if the cursor isn't a row of this log. */
export function listAudit(ctx: Pick<Ctx, "db">, query: PageQuery & { filters: AuditFilters }): Promise<Page<AuditRow>> {
  return readPage(ctx.db, query, {
    find: (cut) => listAuditRows(ctx.db, query.filters, cut),
    place: (id) => findAuditId(ctx.db, query.filters.merchant_id, id),
  });
}
