import { type Ctx, platformErrors } from "#platform/index.ts";
import { type AuditFilters, type AuditRow, findAuditId, listAuditRows } from "./read.sql.ts";

export interface AuditPage {
  filters: AuditFilters;
  limit: number;
  starting_after?: string;
  ending_before?: string;
}

/** The audit log, newest first. Throws invalid_cursor for a row that is not in the log that is read. */
export async function listAudit(ctx: Pick<Ctx, "db">, query: AuditPage): Promise<{ rows: AuditRow[]; has_more: boolean }> {
  const { filters, limit, starting_after: before = null, ending_before: after = null } = query;
  const cursor = before ?? after;
  if (cursor !== null && (await findAuditId(ctx.db, filters.merchant_id, cursor)) === null) {
    throw platformErrors.invalid_cursor({ param: before === null ? "ending_before" : "starting_after" });
  }
  const rows = await listAuditRows(ctx.db, filters, { before, after, limit: limit + 1 });
  const page = rows.slice(0, limit);
  return { rows: after === null ? page : page.reverse(), has_more: rows.length > limit };
}
