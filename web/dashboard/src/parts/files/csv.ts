import { wallClock } from "../../data/zone.ts";

/** As the server writes its files (platform/csv-text.ts); both are tested with the same table of cells. */
const ends = /[;|\t\r\n]/;
const blanks = /^[\s\u0000-\u001f\u200b\ufeff]+/u;
const signs = /^[=+\-@＝＋－﹣−＠]/u;
const wide = /^(?:\d{12,}|0\d+|\d+[eE]\d+)$/;

/** A text as a cell of a CSV file: no spreadsheet runs it, and long numbers stay text because of a tab at their end. */
export function csvText(text: string): string {
  const runs = /^[\t\r\n]/.test(text) || text.split(ends).some((part) => signs.test(part.replace(blanks, "")));
  const guarded = runs ? `'${text}` : wide.test(text) ? `${text}\t` : text;
  return /[",;|\t\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

/** The first line of a CSV file, after the byte order mark that tells spreadsheets that it is UTF-8. */
export function csvHead(columns: readonly string[]): string {
  return `\ufeff${columns.join(",")}\r\n`;
}

/** The time zone of a project with this currency that has set none, as in the server's files. */
export function zoneOfCurrency(currency: string): string {
  return currency === "CNY" ? "Asia/Shanghai" : "UTC";
}

/** Returns a function that formats a time for spreadsheets, on the clock of a zone. */
export function localTimes(zone: string): (at: string | null) => string {
  return (at) => (at === null ? "" : wallClock(new Date(at), zone).replace("T", " "));
}
