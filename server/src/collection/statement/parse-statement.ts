import { platformErrors } from "#platform/index.ts";
import type { Channel } from "../channels.ts";
import type { Cells, Layout } from "./layout.ts";
import { layoutOf } from "./layouts.ts";
import { columnName, type Line, otherLinesMax, rowsMax } from "./lines.ts";
import { readFile } from "./read-file.ts";
import { amountOf, cellsOf, type RowFacts, type RowFault, readFacts } from "./read-row.ts";

/** One received amount. */
export interface StatementRow extends RowFacts {
  line: number;
  /** Whether the merchant finally has the money; otherwise it settles nothing. */
  state: "final" | "unfinished" | "refunded" | "partly_refunded";
  /** For a refunded row: how much was refunded, if the statement says so. */
  refunded_minor: number | null;
}

/** Money that the merchant refunded. */
export interface StatementRefund extends RowFacts {
  line: number;
  /** The number of the refunded transfer, if the statement has it. */
  returns: string | null;
}

/** An invalid row. */
export interface StatementFault {
  line: number;
  code: RowFault | "repeated" | "time_out_of_range" | "amount_differs";
  message: string;
}

/** The content of a file. `rows`, `refunds`, `faults` and `skipped` add up to `total`: no row is lost. */
export interface Statement {
  channel: Channel;
  total: number;
  /** How many rows the file itself says it has. */
  declared: number | null;
  rows: StatementRow[];
  refunds: StatementRefund[];
  faults: StatementFault[];
  /** Rows that are neither: money spent, moved between own accounts, refunded by others. */
  skipped: number;
}

/**
 * Reads a statement that WeChat Pay or Alipay exports, of a wallet or of a merchant account, as CSV or XLSX; its columns identify which it
 * is. Each row is accepted, skipped or listed as a fault with its line. Throws parameter_conflict if another channel was expected.
 */
export async function parseStatement(bytes: Uint8Array, expected?: Channel): Promise<Statement> {
  const lines = await readFile(bytes);
  const at = lines.slice(0, otherLinesMax).findIndex((line) => layoutOf(namesOf(line)) !== undefined);
  const header = lines[at];
  const columns = header === undefined ? [] : namesOf(header);
  const layout = layoutOf(columns);
  if (layout === undefined)
    throw platformErrors.parameter_invalid({
      param: "file",
      reason: "not_a_statement",
      message: "This isn't a WeChat Pay or Alipay statement: the line with the column names wasn't found.",
    });
  if (expected !== undefined && layout.channel !== expected)
    throw platformErrors.parameter_conflict({
      param: "channel",
      reason: "other_wallet",
      values: { name: layout.name },
      message: `This is a ${layout.name} statement.`,
    });
  const rows = tableOf(lines.slice(at + 1));
  if (rows.length > rowsMax)
    throw platformErrors.parameter_invalid({
      param: "file",
      reason: "too_many_rows",
      values: { max: rowsMax },
      message: `The statement has more than ${rowsMax} rows. Export a shorter period.`,
    });
  const taking = new Taking(layout, columns, declaredIn(lines.slice(0, at)));
  for (const row of rows) taking.take(row);
  return taking.finish();
}

function namesOf(line: Line): string[] {
  return line.cells.map((cell) => columnName(cell.text));
}

/** Sums and notes below the rows: nothing after the first of them is a row. */
const footer = /^(#|-{4,}|共\d+笔|导出时间|用户[:：]|总交易单数|资金流水总笔数|(收入|支出)?合计)/;

function tableOf(lines: readonly Line[]): readonly Line[] {
  const end = lines.findIndex((line) => footer.test((line.cells[0]?.text ?? "").trim()));
  return end < 0 ? lines : lines.slice(0, end);
}

function declaredIn(preamble: readonly Line[]): number | null {
  const line = preamble.find(({ cells }) => /^共\d{1,6}笔记录/.test((cells[0]?.text ?? "").trim()));
  return line === undefined ? null : Number(/\d+/.exec(line.cells[0]?.text ?? "")?.[0]);
}

class Taking {
  private readonly layout: Layout;
  private readonly columns: readonly string[];
  private readonly statement: Statement;
  private readonly seen = new Set<string>();

  constructor(layout: Layout, columns: readonly string[], declared: number | null) {
    this.layout = layout;
    this.columns = columns;
    this.statement = { channel: layout.channel, total: 0, declared, rows: [], refunds: [], faults: [], skipped: 0 };
  }

  take({ number: line, cells: given }: Line): void {
    const { statement, layout } = this;
    statement.total += 1;
    const cells = cellsOf(layout, this.columns, given);
    if (typeof cells === "string") return this.fault(line, cells);
    const status = layout.statusOf(cells);
    if (status === "other") {
      statement.skipped += 1;
      return;
    }
    const facts = readFacts(layout, cells, status);
    if (typeof facts === "string") return this.fault(line, facts);
    if (status === "refund") statement.refunds.push({ line, ...facts, returns: layout.returns(cells) });
    else if (this.seen.has(facts.external_id)) this.fault(line, "repeated");
    else {
      this.seen.add(facts.external_id);
      const back = status === "refunded" ? this.refundedOf(cells, facts) : null;
      statement.rows.push({
        line,
        ...facts,
        ...stateOf(facts.amount_minor, back),
        ...(status === "unfinished" ? { state: "unfinished" as const } : {}),
      });
    }
  }

  /** A payment whose refund is in the same file counts as refunded, whatever its own row says. */
  finish(): Statement {
    const back = new Map<string, number>();
    for (const { returns, amount_minor } of this.statement.refunds)
      if (returns !== null) back.set(returns, (back.get(returns) ?? 0) + amount_minor);
    for (const row of this.statement.rows) {
      const minor = back.get(row.external_id);
      if (minor !== undefined) Object.assign(row, stateOf(row.amount_minor, Math.min(minor, row.amount_minor)));
    }
    return this.statement;
  }

  private refundedOf(cells: Cells, facts: RowFacts): number {
    const part = this.layout.refunded === undefined ? null : amountOf(this.layout.refunded(cells));
    return Math.min(part ?? facts.amount_minor, facts.amount_minor);
  }

  private fault(line: number, code: RowFault | "repeated"): void {
    this.statement.faults.push({ line, code, message: sentences[code] });
  }
}

function stateOf(amount: number, back: number | null): Pick<StatementRow, "state" | "refunded_minor"> {
  if (back === null) return { state: "final", refunded_minor: null };
  return { state: back < amount ? "partly_refunded" : "refunded", refunded_minor: back };
}

const sentences: Record<RowFault | "repeated", string> = {
  columns_unclear: "This row doesn't match the columns: it may contain unquoted commas, or be cut off. Check it in the wallet.",
  number_missing: "The transfer number is missing.",
  number_rounded: "A spreadsheet program has rounded the transfer number. Export the statement again and send it without opening it.",
  amount_invalid: "The amount can't be read.",
  time_invalid: "The time can't be read.",
  currency_unsupported: "The amount isn't in CNY.",
  repeated: "This transfer number is already in the file.",
};
