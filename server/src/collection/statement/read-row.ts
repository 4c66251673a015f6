import { maxAmountMinor, minorOf } from "#platform/index.ts";
import { type ColumnRule, fitColumns } from "./fit-columns.ts";
import type { Cells, Layout, RowStatus } from "./layout.ts";
import { type Cell, cleanCell } from "./lines.ts";

/** The content of a row, or why it is invalid. */
export interface RowFacts {
  external_id: string;
  amount_minor: number;
  occurred_at: Date;
  payer_hint: string | null;
  remark: string | null;
  /** The wallet's word for the kind of transfer. */
  kind: string | null;
}

export type RowFault = "columns_unclear" | "number_missing" | "number_rounded" | "amount_invalid" | "time_invalid" | "currency_unsupported";

/** The row's texts by column name, or what is wrong if its cells don't fit the columns in exactly one way. */
export function cellsOf(layout: Layout, columns: readonly string[], cells: readonly Cell[]): Cells | "columns_unclear" | "amount_invalid" {
  if (cells.length <= lastNeeded(layout, columns)) return "columns_unclear";
  const note = cells.some((cell) => noteStart.test(cleanCell(cell.text)));
  const rules = columns.map((name) => ruleOf(layout, name, note));
  const texts = fitColumns(rules, cells);
  if (texts === null) return hasOddAmount(rules, { columns, cells }) ? "amount_invalid" : "columns_unclear";
  return Object.assign(
    Object.create(null) as Record<string, string>,
    Object.fromEntries(columns.map((name, at) => [name, texts[at] ?? ""])),
  );
}

/** True if each cell is in its column, and the only fault is an amount column that doesn't contain an amount. */
function hasOddAmount(rules: readonly ColumnRule[], given: { columns: readonly string[]; cells: readonly Cell[] }): boolean {
  if (given.cells.slice(given.columns.length).some((cell) => cleanCell(cell.text) !== "")) return false;
  const lenient = rules.map((rule): ColumnRule => (rule.kind === "amount" ? { kind: "plain", fits: () => true } : rule));
  return fitColumns(lenient, given.cells.slice(0, given.columns.length)) !== null;
}

/** How WeChat begins a note; a comma before it belongs to the payer's name. */
const noteStart = /^(转账备注|收款方备注|付款方留言)[:：]/;
const noteColumn = "商品";
/** Single-cell columns that affect neither money nor its order. */
const plain = new Set([
  "对方账号",
  "对方账户",
  "支付方式",
  "收/付款方式",
  "商户单号",
  "商家订单号",
  "商户订单号",
  "银行订单号",
  "交易渠道",
  "资金状态",
]);

function ruleOf(layout: Layout, name: string, note: boolean): ColumnRule {
  // From a trailing comma in the line of column names.
  if (name === "") return { kind: "plain", fits: (text) => text === "" };
  const words = layout.words[name];
  if (words !== undefined) return { kind: "one", fits: (text) => words.includes(text) };
  if (layout.amounts.includes(name)) return { kind: "amount", fits: (text) => text === "" || /^[¥￥+-]?\s*-?[\d,]*(?:\.\d*)?$/.test(text) };
  if (layout.times.includes(name)) return { kind: "one", fits: (text) => /^[\d/:\-. T年月日]*$/.test(text) };
  if (layout.number.includes(name)) return { kind: "one", fits: (text) => /^[\w*.+-]*$/.test(text) };
  if (plain.has(name)) return { kind: "plain", fits: () => true };
  if (!layout.texts.includes(name)) return { kind: "one", fits: () => true };
  return { kind: "text", fits: (text) => !(note && name === noteColumn) || noteStart.test(text) };
}

/** A row that ends before the last column that decides about money is invalid. */
function lastNeeded(layout: Layout, columns: readonly string[]): number {
  return Math.max(...[...layout.known, ...Object.keys(layout.words)].map((name) => columns.indexOf(name)));
}

/** Reads a row's facts about its money. `status` determines which amount counts: for a refund, the refunded one. */
export function readFacts(layout: Layout, cells: Cells, status: RowStatus): RowFacts | RowFault {
  const currency = cells["货币种类"] ?? "CNY";
  if (currency !== "" && currency !== "CNY") return "currency_unsupported";
  const number = first(cells, layout.number).replace(/\s+/g, "");
  if (/^\d(\.\d+)?e\+?\d+$/i.test(number)) return "number_rounded";
  if (!/^[0-9A-Za-z_*-]{6,64}$/.test(number)) return "number_missing";
  const back = status === "refund" ? amountOf(layout.refunded?.(cells) ?? "") : null;
  const text = first(cells, layout.amounts);
  // Income with a minus sign is a correction by the wallet, not income.
  const amount = back ?? (status !== "refund" && /^[-－−]/u.test(text) ? null : amountOf(text));
  if (amount === null) return "amount_invalid";
  const at = layout.times.map((name) => beijingTime(cells[name] ?? "")).find((time) => time !== null);
  if (at == null) return "time_invalid";
  return {
    external_id: number,
    amount_minor: amount,
    occurred_at: at,
    payer_hint: textOf(cells, layout.payer),
    remark: textOf(cells, layout.remark),
    kind: textOf(cells, layout.kind),
  };
}

/** An amount above zero and up to an order's maximum; null for everything else. A sign says which column it was in and is dropped. */
export function amountOf(text: string): number | null {
  const amount = minorOf(text.replace(/^[+-]/, ""), 2);
  return amount === null || amount <= 0 || amount > maxAmountMinor ? null : amount;
}

const dayMs = 86_400_000;

/** Statements use Beijing time (UTC+8, no summer time). Spreadsheet programs write 2026/9/1 9:05, workbooks days since the end of 1899. */
function beijingTime(text: string): Date | null {
  if (/^[3-9]\d{4}(\.\d+)?$/.test(text)) {
    const second = Math.round((Number(text) * dayMs) / 1000) * 1000;
    return new Date(Date.UTC(1899, 11, 30) + second - 8 * 3_600_000);
  }
  const match = /^(\d{4})[-/年](\d{1,2})[-/月](\d{1,2})日?[ T]+(\d{1,2}):(\d{2})(?::(\d{2}))?$/.exec(text);
  if (match === null) return null;
  const [year, month, day, hour, minute, second] = match.slice(1).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const local = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  const same =
    local.getUTCFullYear() === year &&
    local.getUTCMonth() === month - 1 &&
    local.getUTCDate() === day &&
    hour < 24 &&
    minute < 60 &&
    second < 60;
  return same ? new Date(local.getTime() - 8 * 3_600_000) : null;
}

function first(cells: Cells, names: readonly string[]): string {
  return names.map((name) => cells[name] ?? "").find((text) => text !== "") ?? "";
}

function textOf(cells: Cells, names: readonly string[]): string | null {
  const text = names
    .map((name) => cells[name] ?? "")
    .filter((part) => part !== "")
    .join(" ");
  return text === "" ? null : [...text].slice(0, 200).join("");
}
