import { type Ctx, csvHead, csvText, currencyExponent, decimalOf, localTimes, type Tenant } from "#platform/index.ts";
import type { TransactionFilters } from "./filters.ts";
import { listTransactionRows } from "./sql.ts";
import { type Transaction, transactionOf } from "./transaction.ts";

export type ExportFormat = "csv" | "jsonl";

const pageSize = 500;

const columns = [
  "id",
  "created_at",
  "type",
  "status",
  "gateway",
  "currency",
  "amount",
  "amount_minor",
  "fee_minor",
  "net_minor",
  "forgiven_minor",
  "order_id",
  "reference",
  "payment_session_id",
  "external_transaction_id",
  "reverses",
  "description",
  "created_by",
  "livemode",
  "created_at_local",
  "time_zone",
] as const;

/**
 * The whole filtered list in its own order, read a few hundred rows at a time: it omits what is booked during the export and contains
 * nothing twice. CSV shows the amount both in the currency's own decimals and in minor units, and the time both in a time zone and in UTC;
 * its texts never start like a formula.
 */
export async function* exportTransactions(
  ctx: Pick<Ctx, "db">,
  tenant: Tenant,
  query: { format: ExportFormat; time_zone?: string; filters?: TransactionFilters },
): AsyncGenerator<string, void, undefined> {
  const line = query.format === "csv" ? csvLines(query.time_zone ?? "UTC") : jsonLine;
  if (query.format === "csv") yield csvHead(columns);
  let before: string | null = null;
  for (;;) {
    const rows = await listTransactionRows(ctx.db, tenant, { filters: query.filters ?? {}, before, after: null, limit: pageSize });
    if (rows.length > 0) yield rows.map((row) => line(transactionOf(row, row.reversed))).join("");
    if (rows.length < pageSize) return;
    before = rows.at(-1)?.id ?? null;
  }
}

function jsonLine(transaction: Transaction): string {
  return `${JSON.stringify(transaction)}\n`;
}

function csvLines(time_zone: string): (transaction: Transaction) => string {
  const localTime = localTimes(time_zone);
  return (transaction) => {
    const amount = decimalOf(transaction.amount_minor, currencyExponent(transaction.currency));
    const created_at_local = localTime(new Date(transaction.created_at));
    const row: Record<string, unknown> = { ...transaction, amount, created_at_local, time_zone };
    return `${columns.map((column) => csvCell(column, row[column])).join(",")}\r\n`;
  };
}

function csvCell(column: (typeof columns)[number], value: unknown): string {
  if (value === null || value === undefined) return "";
  if (value instanceof Date) return value.toISOString();
  // A negative amount starts with a minus and is not a formula.
  if (typeof value !== "string" || column === "amount") return String(value);
  return csvText(value);
}
