import { normalForm } from "#platform/index.ts";

/** One cell of a statement. A quoted cell, or one of a workbook, is whole: it wasn't split at a comma. */
export interface Cell {
  text: string;
  whole: boolean;
}

/** One line of cells, with its number in the file. */
export interface Line {
  number: number;
  cells: Cell[];
}

/** The maximum number of rows of a table; a longer statement is refused. */
export const rowsMax = 5_000;
/** Lines above the column names and below the rows. */
export const otherLinesMax = 200;
/** More cells than any statement has columns; further ones aren't read. */
export const cellsMax = 80;

/** A cell without the tabs, blanks, quotes and backticks that wallets pad numbers with; a single slash means "none". */
export function cleanCell(text: string): string {
  const cell = text.replace(/^[\s`'"=\ufeff]+/, "").trimEnd();
  const bare = cell.endsWith('"') ? cell.slice(0, -1).trimEnd() : cell;
  return bare === "/" ? "" : bare;
}

/** A column's name as the layouts spell it: half-width brackets, no blanks. */
export function columnName(text: string): string {
  return normalForm(cleanCell(text), "NFKC").replace(/\s+/g, "");
}
