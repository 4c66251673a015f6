import { type Ctx, csvHead, csvText } from "#platform/index.ts";
import { type AuditFilters, type AuditRow, listAuditRows } from "./read.sql.ts";

const pageSize = 500;
const columns = [
  "id",
  "created_at",
  "merchant_id",
  "project_id",
  "livemode",
  "actor_kind",
  "actor_id",
  "actor_email",
  "action",
  "object_type",
  "object_id",
  "detail",
  "request_id",
  "position",
  "hash",
] as const;

/** The whole filtered log, newest first, a few hundred lines at a time. In CSV no text starts like a formula. */
export async function* exportAudit(ctx: Pick<Ctx, "db">, query: { format: "csv" | "jsonl"; filters: AuditFilters }): AsyncGenerator<string, void, undefined> {
  if (query.format === "csv") yield csvHead(columns);
  let before: string | null = null;
  for (;;) {
    const rows: AuditRow[] = await listAuditRows(ctx.db, query.filters, { before, after: null, limit: pageSize });
    if (rows.length > 0) yield rows.map((row) => (query.format === "csv" ? csvLine(row) : `${JSON.stringify(row)}\n`)).join("");
    if (rows.length < pageSize) return;
    before = rows.at(-1)?.id ?? null;
  }
}

function csvLine(row: AuditRow): string {
  return `${columns.map((column) => csvCell(row[column])).join(",")}\r\n`;
}

function csvCell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (value instanceof Date) return value.toISOString();
  return csvText(typeof value === "object" ? JSON.stringify(value) : String(value));
}
