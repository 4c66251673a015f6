import { platformErrors } from "#platform/index.ts";
import { layoutOf } from "./layouts.ts";
import { type Cell, cellsMax, columnName, type Line, otherLinesMax, rowsMax } from "./lines.ts";

/** A quoted text may span this many lines; if its quote is still open then, it is an ordinary character. */
const joinedLinesMax = 6;

/**
 * Splits a text into lines of cells. An unclosed quote only affects its own line. Throws for a text in an unknown encoding, or one that is
 * too long.
 */
export function readCsv(bytes: Uint8Array): Line[] {
  const texts = decodeText(bytes).split(/\r\n|\n|\r/);
  if (texts.length > rowsMax + otherLinesMax) throw tooLong();
  const form = formOf(texts);
  const lines: Line[] = [];
  for (let at = 0; at < texts.length; ) {
    const { cells, used } = cutRecord(texts, at, form);
    if (cells.some((cell) => cell.text.trim() !== "")) lines.push({ number: at + 1, cells });
    at += used;
  }
  return lines;
}

/** The error for a statement with too many rows, whatever its format. */
export function tooLong(): Error {
  return platformErrors.parameter_invalid({
    param: "file",
    reason: "too_many_rows",
    values: { max: rowsMax },
    message: `The statement has more than ${rowsMax} rows. Export a shorter period.`,
  });
}

interface Form {
  delimiter: string;
  /** How many columns a row has, if the line of column names is known. */
  columns: number | null;
}

function formOf(texts: string[]): Form {
  const delimiter = delimiterOf(texts);
  for (const text of texts.slice(0, otherLinesMax)) {
    const names = text.split(delimiter, cellsMax).map(columnName);
    if (layoutOf(names) !== undefined) return { delimiter, columns: names.findLastIndex((name) => name !== "") + 1 };
  }
  return { delimiter, columns: null };
}

/** Whether a line is a row by itself: a row never begins inside a quoted text. */
function isRow(text: string, { delimiter, columns }: Form): boolean {
  if (/^["'`\s]*\d{4}[-/年]\d/.test(text)) return true;
  return columns !== null && text.split(delimiter, cellsMax).length >= columns;
}

function cutRecord(texts: string[], at: number, form: Form): { cells: Cell[]; used: number } {
  const { delimiter } = form;
  let text = texts[at] ?? "";
  for (let used = 1; used <= joinedLinesMax; used += 1) {
    const cells = cutLine(text, delimiter);
    if (cells !== null) return { cells, used };
    const next = texts[at + used];
    // The quote before a row was an ordinary character.
    if (next === undefined || isRow(next, form)) break;
    text = `${text}\n${next}`;
  }
  return { cells: (texts[at] ?? "").split(delimiter, cellsMax).map((part) => ({ text: part, whole: false })), used: 1 };
}

/** The cells of one line, or null if a quote is still open at its end. */
function cutLine(text: string, delimiter: string): Cell[] | null {
  const cells: Cell[] = [];
  for (let at = 0; at <= text.length && cells.length < cellsMax; ) {
    const start = text.startsWith('"', at) ? closedAt(text, at) : at;
    if (start === null) return null;
    const quoted = start > at;
    const end = text.indexOf(delimiter, start);
    const stop = end < 0 ? text.length : end;
    const whole = quoted && text.slice(start, stop).trim() === "";
    cells.push({ text: whole ? text.slice(at + 1, start - 1).replaceAll('""', '"') : text.slice(at, stop), whole });
    at = stop + 1;
  }
  return cells;
}

/** The position after the quote that closes the one at `at`; null if there isn't one. */
function closedAt(text: string, at: number): number | null {
  for (let from = at + 1; ; ) {
    const quote = text.indexOf('"', from);
    if (quote < 0) return null;
    if (text[quote + 1] !== '"') return quote + 1;
    from = quote + 2;
  }
}

/** The separator that splits the widest of the first lines: the line of column names. */
function delimiterOf(texts: string[]): string {
  const first = texts.slice(0, otherLinesMax);
  const widest = (mark: string) => Math.max(0, ...first.map((text) => text.split(mark, cellsMax).length));
  return [",", "\t", ";"].reduce((best, mark) => (widest(mark) > widest(best) ? mark : best));
}

function decodeText(bytes: Uint8Array): string {
  const utf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  for (const encoding of utf16 ? ["utf-16le"] : ["utf-8", "gb18030"]) {
    const text = decode(bytes, encoding);
    if (text !== null) return text;
  }
  throw platformErrors.parameter_invalid({
    param: "file",
    reason: "not_a_statement",
    message: "The file isn't UTF-8 or GB18030 text. Send it as the wallet exported it.",
  });
}

function decode(bytes: Uint8Array, encoding: string): string | null {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    // The database's texts can't contain NUL.
    return text.includes("\u0000") ? null : text;
  } catch {
    return null;
  }
}
