/** Characters that some spreadsheets treat as the end of a cell. */
const ends = /[;|\t\r\n]/;
const blanks = /^[\s\u0000-\u001f\u200b\ufeff]+/u;
/** A formula begins with one of these, normal or full-width. */
const signs = /^[=+\-@＝＋－﹣−＠]/u;

/** Numbers that a spreadsheet would truncate to fifteen digits, strip of leading zeros, or turn into a power of ten. */
const wide = /^(?:\d{12,}|0\d+|\d+[eE]\d+)$/;

/**
 * A text as a cell of a CSV file: no spreadsheet executes any of it, and separators of other dialects don't split it. A long number ends in
 * a tab, as in the wallets' own statements, so that spreadsheets keep it as text; programs trim it, or use JSON Lines.
 */
export function csvText(text: string): string {
  // With a tab or a line end before a text, some programs continue as if the cell began there.
  const runs = /^[\t\r\n]/.test(text) || text.split(ends).some((part) => signs.test(part.replace(blanks, "")));
  const guarded = runs ? `'${text}` : wide.test(text) ? `${text}\t` : text;
  return /[",;|\t\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

/** The first line of a CSV file. The byte order mark marks the file as UTF-8; without it Chinese names are garbled. */
export function csvHead(columns: readonly string[]): string {
  return `\ufeff${columns.join(",")}\r\n`;
}
