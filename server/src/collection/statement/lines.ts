/** One cell of a statement. What was quoted, or stood in a workbook's cell, is whole: no comma cut it. */
export interface Cell {
  text: string;
  whole: boolean;
}

/** One line of cells, with its number in the file. */
export interface Line {
  number: number;
  cells: Cell[];
}

/** Rows of a table that are read; a longer statement is refused. */
export const rowsMax = 5_000;
/** Lines above the column names and below the rows. */
export const otherLinesMax = 200;
/** More cells than any statement has columns; what is beyond them is not read. */
export const cellsMax = 80;

/** A cell freed of the tabs, blanks, quotes and backticks that wallets pad numbers with; a slash alone means "none". */
export function cleanCell(text: string): string {
  const cell = text.replace(/^[\s`'"=\ufeff]+/, "").trimEnd();
  const bare = cell.endsWith('"') ? cell.slice(0, -1).trimEnd() : cell;
  return bare === "/" ? "" : bare;
}

/** A column's name as the layouts spell it: half-width brackets, no blanks. */
export function columnName(text: string): string {
  return cleanCell(text).normalize("NFKC").replace(/\s+/g, "");
}
