import { platformErrors } from "#platform/index.ts";
import type { Line } from "./lines.ts";
import { readCsv } from "./read-csv.ts";
import { readWorkbook } from "./read-workbook.ts";

const otherFiles: readonly (readonly [RegExp, string])[] = [
  [
    /^\xd0\xcf\x11\xe0/,
    "This workbook is in the old format (XLS) or has a password. Remove the password, or save the sheet as XLSX without changing anything in it.",
  ],
  [/^%PDF/, "This is a PDF. Export the statement for bookkeeping, which is CSV or XLSX."],
  [/^Rar!|^7z\xbc\xaf/, "This is an archive. Unpack it, and send the statement inside (CSV or XLSX)."],
];

/** The lines of a statement's file, whose format is determined by its first bytes, not by its name: an XLSX workbook, or text. */
export async function readFile(bytes: Uint8Array): Promise<Line[]> {
  const start = Buffer.from(bytes.subarray(0, 8)).toString("latin1");
  for (const [sign, message] of otherFiles) if (sign.test(start)) throw platformErrors.unsupported_media_type({ param: "file", message });
  return start.startsWith("PK\x03\x04") ? readWorkbook(bytes) : readCsv(bytes);
}
