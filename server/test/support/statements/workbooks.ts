import { crc32, deflateRawSync } from "node:zlib";

/** Workbooks as wallets export them, and as attackers would, composed part by part. */

export interface Part {
  name: string;
  text: string | Buffer;
  /** Claims another size than it has. */
  claimedSize?: number;
  encrypted?: boolean;
}

/** A ZIP archive. */
export function zip(parts: readonly Part[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const part of parts) {
    const name = Buffer.from(part.name);
    const raw = Buffer.from(part.text);
    const packed = deflateRawSync(raw);
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(part.encrypted === true ? 1 : 0, 2);
    shared.writeUInt16LE(8, 4);
    shared.writeUInt32LE(crc32(raw), 10);
    shared.writeUInt32LE(packed.length, 14);
    shared.writeUInt32LE(part.claimedSize ?? raw.length, 18);
    shared.writeUInt16LE(name.length, 22);
    const file = Buffer.concat([Buffer.from("PK\u0003\u0004"), shared, name, packed]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from("PK\u0001\u0002"), Buffer.from([20, 0]), shared, place, name]));
    files.push(file);
    offset += file.length;
  }
  const end = Buffer.alloc(18);
  end.writeUInt16LE(parts.length, 4);
  end.writeUInt16LE(parts.length, 6);
  end.writeUInt32LE(Buffer.concat(directory).length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...files, ...directory, Buffer.from("PK\u0005\u0006"), end]);
}

type Value = string | number | null;

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const letter = (column: number): string =>
  (column < 26 ? "" : letter(Math.floor(column / 26) - 1)) + String.fromCharCode(65 + (column % 26));

/** The XML of a sheet. Texts are in the cells themselves unless `strings` collects them. */
export function sheetXml(rows: readonly (readonly Value[])[], strings?: string[]): string {
  const cell = (value: Value, place: string) => {
    if (value === null) return "";
    if (typeof value === "number") return `<c r="${place}" s="1"><v>${value}</v></c>`;
    if (strings === undefined) return `<c r="${place}" t="inlineStr"><is><t>${escaped(value)}</t></is></c>`;
    strings.push(value);
    return `<c r="${place}" t="s"><v>${strings.length - 1}</v></c>`;
  };
  const lines = rows.map(
    (row, at) => `<row r="${at + 1}">${row.map((value, column) => cell(value, `${letter(column)}${at + 1}`)).join("")}</row>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${lines.join("")}</sheetData></worksheet>`;
}

/** A workbook of one sheet; `more` replaces or adds parts. */
export function workbook(rows: readonly (readonly Value[])[], more: readonly Part[] = []): Buffer {
  const strings: string[] = [];
  const sheet = sheetXml(rows, strings);
  const own: Part[] = [
    { name: "[Content_Types].xml", text: "<Types/>" },
    {
      name: "xl/workbook.xml",
      text: '<workbook xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId3"/></sheets></workbook>',
    },
    { name: "xl/_rels/workbook.xml.rels", text: '<Relationships><Relationship Id="rId3" Target="worksheets/sheet1.xml"/></Relationships>' },
    {
      name: "xl/sharedStrings.xml",
      text: `<sst>${strings.map((text) => `<si><t xml:space="preserve">${escaped(text)}</t></si>`).join("")}</sst>`,
    },
    { name: "xl/worksheets/sheet1.xml", text: sheet },
  ];
  return zip([...own.filter((part) => !more.some((one) => one.name === part.name)), ...more]);
}

/** Days since the end of 1899, as workbooks count Beijing's time: "2026-11-20 16:00:00". */
export function serial(beijing: string): number {
  return (Date.parse(`${beijing.replace(" ", "T")}Z`) - Date.UTC(1899, 11, 30)) / 86_400_000;
}
