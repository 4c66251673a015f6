import { maxAmountMinor, minorOf, platformErrors } from "#platform/index.ts";
import type { Channel } from "../channels.ts";
import { type Layout, layouts } from "./layouts.ts";
import { readTable } from "./read-table.ts";

/** One sum that came in. */
export interface StatementRow {
  line: number;
  external_id: string;
  amount_minor: number;
  occurred_at: Date;
  payer_hint: string | null;
  remark: string | null;
}

/** A row that looks like money received but cannot be taken. */
export interface StatementFault {
  line: number;
  code: "number_missing" | "number_rounded" | "amount_invalid" | "time_invalid" | "refunded" | "repeated";
  message: string;
}

export interface Statement {
  channel: Channel;
  rows: StatementRow[];
  faults: StatementFault[];
  /** Rows that are no receipts: money that went out, refunds, what did not come about. */
  skipped: number;
}

/**
 * Reads a statement that WeChat Pay or Alipay exports for personal bookkeeping; the columns tell which of them it is.
 * Only money received counts. A row that cannot be read is listed with its line and harms no other. Throws parameter_conflict when another channel was meant.
 */
export function parseStatement(bytes: Uint8Array, expected?: Channel): Statement {
  const table = readTable(bytes, (line) => layouts.some((layout) => layout.known.every((name) => line.includes(name))));
  const layout = layouts.find((one) => one.known.every((name) => table.columns.includes(name)));
  if (layout === undefined)
    throw platformErrors.parameter_invalid({ param: "file", message: "The statement's columns are not those of WeChat Pay or Alipay." });
  if (expected !== undefined && layout.channel !== expected) {
    throw platformErrors.parameter_conflict({ param: "channel", message: `This is a statement of ${layout.name}.` });
  }
  const statement: Statement = { channel: layout.channel, rows: [], faults: [], skipped: 0 };
  const seen = new Set<string>();
  for (const { line, cells } of table.rows) takeRow(statement, { layout, line, cells, seen });
  return statement;
}

function takeRow(statement: Statement, given: { layout: Layout; line: number; cells: Record<string, string>; seen: Set<string> }): void {
  const { layout, line, cells, seen } = given;
  const standing = layout.standing(cells);
  if (standing === "other") {
    statement.skipped += 1;
    return;
  }
  const read = standing === "refunded" ? fault(line, "refunded") : readRow(layout, line, cells);
  if ("code" in read) statement.faults.push(read);
  else if (seen.has(read.external_id)) statement.faults.push(fault(line, "repeated"));
  else {
    seen.add(read.external_id);
    statement.rows.push(read);
  }
}

function readRow(layout: Layout, line: number, cells: Record<string, string>): StatementRow | StatementFault {
  const number = cells[layout.number] ?? "";
  if (/^\d(\.\d+)?e\+?\d+$/i.test(number)) return fault(line, "number_rounded");
  if (!/^[0-9A-Za-z_-]{6,64}$/.test(number)) return fault(line, "number_missing");
  const amount = minorOf(cells[layout.amount] ?? "", 2);
  if (amount === null || amount <= 0 || amount > maxAmountMinor) return fault(line, "amount_invalid");
  const at = layout.times.map((name) => beijingTime(cells[name] ?? "")).find((time) => time !== null);
  if (at == null) return fault(line, "time_invalid");
  return { line, external_id: number, amount_minor: amount, occurred_at: at, payer_hint: textOf(cells, layout.payer), remark: textOf(cells, layout.remark) };
}

const sentences: Record<StatementFault["code"], string> = {
  number_missing: "The transfer's number is missing.",
  number_rounded: "A spreadsheet program has rounded the transfer's number. Export the statement again and send it unopened.",
  amount_invalid: "The amount cannot be read.",
  time_invalid: "The time cannot be read.",
  refunded: "This money was given back, in whole or in part. Settle it by hand.",
  repeated: "The same transfer stands in this file before.",
};

function fault(line: number, code: StatementFault["code"]): StatementFault {
  return { line, code, message: sentences[code] };
}

/** Statements carry Beijing time (UTC+8, no summer time) without saying so. Spreadsheet programs write 2026/9/1 9:05. */
function beijingTime(text: string): Date | null {
  const match = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})[ T]+(\d{1,2}):(\d{2})(?::(\d{2}))?$/.exec(text);
  if (match === null) return null;
  const [year, month, day, hour, minute, second] = match.slice(1).map((part) => Number(part ?? 0)) as [number, number, number, number, number, number];
  const local = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  const same = local.getUTCFullYear() === year && local.getUTCMonth() === month - 1 && local.getUTCDate() === day && hour < 24 && minute < 60 && second < 60;
  return same ? new Date(local.getTime() - 8 * 3_600_000) : null;
}

function textOf(cells: Record<string, string>, names: readonly string[]): string | null {
  const text = names
    .map((name) => cells[name] ?? "")
    .filter((part) => part !== "")
    .join(" ");
  return text === "" ? null : [...text].slice(0, 200).join("");
}
