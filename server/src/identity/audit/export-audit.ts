import { type Ctx, csvHead, csvText } from "#platform/index.ts";
import { listAudit } from "./list-audit.ts";
import type { AuditFilters, AuditRow } from "./read.sql.ts";

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
  let cursor: { starting_after?: string } = {};
  for (;;) {
    const { rows, has_more } = await listAudit(ctx, { filters: query.filters, limit: pageSize, ...cursor });
    if (rows.length > 0) yield rows.map((row) => (query.format === "csv" ? csvLine(row) : `${JSON.stringify(row)}\n`)).join("");
    const last = rows.at(-1);
    if (!has_more || last === undefined) return;
    cursor = { starting_after: last.id };
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
