import { SaxesParser } from "saxes";
import { broken, refused } from "./open-workbook.ts";

const depthMax = 64;

/** Called at a tag's start, at its end, and for the text between. Names come without their namespace. */
export interface XmlReader {
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  close(name: string): void;
  text(text: string): void;
  /** True once enough was read. */
  done?(): boolean;
}

/**
 * Reads XML piece by piece, so that other work continues in between and only one piece is in memory. A document type is refused: it allows
 * entities, whose texts can grow without bound or be in other files.
 */
export async function readXml(pieces: AsyncIterable<Uint8Array>, reader: XmlReader): Promise<void> {
  const parser = new SaxesParser({ position: false });
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let depth = 0;
  parser.on("error", broken);
  parser.on("doctype", () => refused("This workbook has a document type declaration, which a wallet never exports."));
  parser.on("opentag", (tag) => {
    depth += 1;
    if (depth > depthMax) refused("This workbook is nested more deeply than any statement.");
    reader.open(localName(tag.name), tag.attributes as Record<string, string>);
  });
  parser.on("closetag", (tag) => {
    depth -= 1;
    reader.close(localName(tag.name));
  });
  parser.on("text", (text) => reader.text(text));
  parser.on("cdata", (text) => reader.text(text));
  for await (const piece of pieces) {
    parser.write(decode(decoder, piece));
    if (reader.done?.() === true) return;
  }
  parser.close();
}

function decode(decoder: TextDecoder, piece: Uint8Array): string {
  try {
    return decoder.decode(piece, { stream: true });
  } catch (error) {
    return broken(error);
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}
