import { type Ctx, csvHead, csvText, localTimes } from "#platform/index.ts";
import { listAudit } from "./list-audit.ts";
import type { AuditFilters, AuditRow } from "./sql.ts";

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
  "created_at_local",
  "time_zone",
] as const;

/**
 * The whole filtered log, newest first, a few hundred lines at a time. In CSV no text starts like a formula, and there is a column with the
 * local time next to UTC.
 */
export async function* exportAudit(
  ctx: Pick<Ctx, "db">,
  query: { format: "csv" | "jsonl"; time_zone: string; filters: AuditFilters },
): AsyncGenerator<string, void, undefined> {
  const csvLine = csvLines(query.time_zone);
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

function csvLines(time_zone: string): (row: AuditRow) => string {
  const localTime = localTimes(time_zone);
  return (row) => {
    const cells = { ...row, created_at_local: localTime(row.created_at), time_zone };
    return `${columns.map((column) => csvCell(cells[column])).join(",")}\r\n`;
  };
}

function csvCell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (value instanceof Date) return value.toISOString();
  return csvText(typeof value === "object" ? JSON.stringify(value) : String(value));
}
