import { type Cell, cellsMax, type Line, otherLinesMax, rowsMax } from "./lines.ts";
import { broken, openWorkbook, refused, type Workbook } from "./open-workbook.ts";
import { tooLong } from "./read-csv.ts";
import { readXml, type XmlReader } from "./read-xml.ts";

const stringsMax = 400_000;
const cellTextMax = 32_767;

/** The first sheet of an XLSX workbook as lines of cells. Formulas are refused: a statement contains what happened, not computed values. */
export async function readWorkbook(bytes: Uint8Array): Promise<Line[]> {
  const book = await openWorkbook(bytes);
  try {
    const path = await firstSheet(book);
    const strings = book.has("xl/sharedStrings.xml") ? await readStrings(book) : [];
    const reader = new SheetReader(strings);
    await readXml(book.pieces(path), reader);
    return reader.lines;
  } finally {
    book.close();
  }
}

async function firstSheet(book: Workbook): Promise<string> {
  let sheet = "";
  await readXml(book.pieces("xl/workbook.xml"), {
    ...ignored,
    open: (name, attributes) => {
      if (name === "sheet" && sheet === "") sheet = Object.entries(attributes).find(([key]) => key.endsWith(":id"))?.[1] ?? "";
      // Old spreadsheet programs count days from 1904. No wallet does, and a statement with dates four years off must not be accepted.
      if (name === "workbookPr" && ["1", "true"].includes(attributes["date1904"] ?? ""))
        refused("This workbook's dates count from 1904. Export it again.");
    },
  });
  let target = "worksheets/sheet1.xml";
  if (book.has("xl/_rels/workbook.xml.rels")) {
    await readXml(book.pieces("xl/_rels/workbook.xml.rels"), {
      ...ignored,
      open: (name, attributes) => {
        if (name === "Relationship" && attributes["Id"] === sheet) target = attributes["Target"] ?? target;
      },
    });
  }
  return target.startsWith("/") ? target.slice(1) : `xl/${target}`;
}

const ignored: XmlReader = { open: () => undefined, close: () => undefined, text: () => undefined };

/**
 * Texts that cells refer to by number. A text with several formats consists of several pieces; the pronunciation of a Chinese text isn't
 * part of it.
 */
async function readStrings(book: Workbook): Promise<string[]> {
  const strings: string[] = [];
  let text: string | null = null;
  let phonetic = false;
  await readXml(book.pieces("xl/sharedStrings.xml"), {
    open: (name) => {
      if (name === "si") strings.push("");
      if (name === "rPh") phonetic = true;
      if (name === "t" && !phonetic) text = "";
    },
    text: (piece) => {
      if (text !== null) text += piece;
    },
    close: (name) => {
      if (name === "rPh") phonetic = false;
      if (name !== "t" || text === null) return;
      if (strings.length > stringsMax) throw tooLong();
      strings[strings.length - 1] = `${strings.at(-1) ?? ""}${text}`.slice(0, cellTextMax);
      text = null;
    },
  });
  return strings;
}

class SheetReader implements XmlReader {
  readonly lines: Line[] = [];
  private readonly strings: readonly string[];
  private row: Cell[] = [];
  private number = 0;
  private column = -1;
  private type = "";
  private value: string | null = null;
  private reading = false;

  constructor(strings: readonly string[]) {
    this.strings = strings;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === "row") this.startRow(Number(attributes["r"] ?? this.number + 1));
    else if (name === "c") this.startCell(attributes);
    else if (name === "f")
      refused("This workbook contains formulas, which a wallet never exports. Export the statement again and send it without opening it.");
    else if (name === "v" || name === "t") this.reading = true;
  }

  text(text: string): void {
    if (this.reading) this.value = `${this.value ?? ""}${text}`.slice(0, cellTextMax);
  }

  close(name: string): void {
    if (name === "v" || name === "t") this.reading = false;
    else if (name === "c") this.endCell();
    else if (name === "row" && this.row.some((cell) => cell.text.trim() !== "")) {
      this.lines.push({ number: this.number, cells: this.row });
      if (this.lines.length > rowsMax + otherLinesMax) throw tooLong();
    }
  }

  private startRow(number: number): void {
    this.number = Number.isSafeInteger(number) && number > 0 ? number : broken(new Error("a row has no number"));
    this.row = [];
    this.column = -1;
  }

  private startCell(attributes: Readonly<Record<string, string>>): void {
    this.column = columnOf(attributes["r"]) ?? this.column + 1;
    this.type = attributes["t"] ?? "n";
    this.value = null;
  }

  private endCell(): void {
    const text =
      this.type === "s" ? (this.strings[Number(this.value)] ?? "") : this.type === "n" ? numberText(this.value ?? "") : (this.value ?? "");
    if (text === "" || this.column >= cellsMax) return;
    if (text.includes("\u0000")) broken(new Error("a NUL in a text"));
    while (this.row.length < this.column) this.row.push({ text: "", whole: true });
    this.row[this.column] = { text, whole: true };
  }
}

/** 27 for "AB12"; null if the cell doesn't state its position. */
function columnOf(place: string | undefined): number | null {
  const letters = /^[A-Z]{1,3}/.exec(place ?? "")?.[0];
  return letters === undefined ? null : [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

/** A number as people write it: 0.29 for 0.28999999999999998, and with an exponent if a spreadsheet has lost digits. */
function numberText(text: string): string {
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value)) return text;
  return Number.isInteger(value) && Math.abs(value) >= 1e15 ? value.toExponential() : String(value);
}
