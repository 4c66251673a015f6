/** What some spreadsheets take for the end of a cell. */
const ends = /[;|\t\r\n]/;
const blanks = /^[\s\u0000-\u001f\u200b\ufeff]+/u;
/** A formula begins with one of these, narrow or wide. */
const signs = /^[=+\-@＝＋－﹣−＠]/u;

/** Digits of which a spreadsheet would keep fifteen, drop leading zeros, or make a power of ten. */
const wide = /^(?:\d{12,}|0\d+|\d+[eE]\d+)$/;

/**
 * A text as a cell of a CSV file: no program that opens the file runs any of it, and separators of other dialects do not split it. A long number ends in a tab,
 * as in the wallets' own statements, so that spreadsheets keep it as text; programs trim it, or take JSON Lines.
 */
export function csvText(text: string): string {
  // A tab or a line end before a text makes some programs read on as if the cell began there.
  const runs = /^[\t\r\n]/.test(text) || text.split(ends).some((part) => signs.test(part.replace(blanks, "")));
  const guarded = runs ? `'${text}` : wide.test(text) ? `${text}\t` : text;
  return /[",;|\t\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

/** The first line of a CSV file. The mark before it tells spreadsheets that the file is UTF-8: without it Chinese names are garbled. */
export function csvHead(columns: readonly string[]): string {
  return `\ufeff${columns.join(",")}\r\n`;
}
