import { parse } from "csv-parse/sync";
import { platformErrors } from "#platform/index.ts";

/** A statement's rows by column name, each with its line in the file. */
export interface Table {
  columns: string[];
  rows: { line: number; cells: Record<string, string> }[];
}

const preambleLinesMax = 100;
const rowsMax = 5_000;

const otherFiles: readonly (readonly [RegExp, string])[] = [
  [/^PK\x03\x04/, "This is an Excel workbook or a ZIP archive. Open it and save the sheet as CSV (UTF-8), without changing anything in it."],
  [/^\xd0\xcf\x11\xe0/, "This is an Excel workbook of the old kind. Save the sheet as CSV (UTF-8), without changing anything in it."],
  [/^%PDF/, "This is a PDF. Export the statement as a file for personal bookkeeping, which is CSV."],
];

/**
 * Finds the table below a wallet's preamble, in UTF-8 or GB18030, and cuts it into cells freed of the tabs, spaces, quotes and backticks
 * that wallets pad numbers with. `isHeader` tells the line of column names. Throws when there is none, or no text at all.
 */
export function readTable(bytes: Uint8Array, isHeader: (line: string) => boolean): Table {
  const lines = textOf(bytes).split(/\r\n|\n|\r/);
  const at = lines.slice(0, preambleLinesMax).findIndex(isHeader);
  if (at < 0)
    throw platformErrors.parameter_invalid({ param: "file", message: "This is no statement of WeChat Pay or Alipay: its line of column names was not found." });
  const delimiter = (lines[at] ?? "").split("\t").length > (lines[at] ?? "").split(",").length ? "\t" : ",";
  const options = { delimiter, relax_quotes: true, relax_column_count: true, skip_empty_lines: true, skip_records_with_error: true, info: true } as const;
  const records = parse(lines.slice(at).join("\n"), options) as unknown as { record: string[]; info: { lines: number } }[];
  const columns = (records.shift()?.record ?? []).map(cleanCell);
  if (records.length > rowsMax)
    throw platformErrors.parameter_invalid({ param: "file", message: `The statement has more than ${rowsMax} rows. Export a shorter time.` });
  return { columns, rows: records.map(({ record, info }) => ({ line: at + info.lines, cells: cellsOf(columns, record) })) };
}

function textOf(bytes: Uint8Array): string {
  const start = Buffer.from(bytes.subarray(0, 8)).toString("latin1");
  for (const [sign, message] of otherFiles) if (sign.test(start)) throw platformErrors.unsupported_media_type({ param: "file", message });
  const encodings = start.startsWith("\xff\xfe") ? ["utf-16le"] : ["utf-8", "gb18030"];
  for (const encoding of encodings) {
    const text = decode(bytes, encoding);
    if (text !== null) return text;
  }
  throw platformErrors.parameter_invalid({ param: "file", message: "The file is no text in UTF-8 or GB18030." });
}

function decode(bytes: Uint8Array, encoding: string): string | null {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    // No database text can hold a NUL.
    return text.includes("\u0000") ? null : text;
  } catch {
    return null;
  }
}

function cellsOf(columns: string[], record: string[]): Record<string, string> {
  const cells: Record<string, string> = Object.create(null);
  for (const [index, column] of columns.entries()) cells[column] = cleanCell(record[index] ?? "");
  return cells;
}

function cleanCell(text: string): string {
  const cell = text.replace(/^[\s`'"\ufeff]+|[\s"]+$/g, "");
  return cell === "/" ? "" : cell;
}
