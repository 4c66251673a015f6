import { type Entry, fromBufferPromise, type ZipFile } from "yauzl";
import { platformErrors } from "#platform/index.ts";

const entriesMax = 500;
const entryBytesMax = 32 * 1024 * 1024;
/** A sheet of figures compresses to a tenth; one that compresses to less than a two-hundred-and-fiftieth is a zip bomb. */
const ratioMax = 250;
const harmlessBytes = 256 * 1024;

/** The parts of a workbook by their path, each read in pieces on request. */
export interface Workbook {
  has(path: string): boolean;
  pieces(path: string): AsyncIterable<Uint8Array>;
  close(): void;
}

/**
 * Opens an XLSX file without unpacking it. Throws for other archives, for macros, for links to other files, and for sizes that no statement
 * has.
 */
export async function openWorkbook(bytes: Uint8Array): Promise<Workbook> {
  const zip = await fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), { lazyEntries: true }).catch(broken);
  const parts = await listParts(zip);
  refuseOddParts(parts);
  return {
    has: (path) => parts.has(path),
    pieces: (path) => piecesOf(zip, parts.get(path)),
    close: () => zip.close(),
  };
}

/** Throws the error for an unreadable workbook. */
export function broken(cause: unknown): never {
  throw platformErrors.parameter_invalid({
    param: "file",
    reason: "file_damaged",
    message: "This workbook is damaged and can't be read. Export the statement again.",
    cause,
  });
}

/** Throws the error for a workbook that no wallet exports. */
export function refused(message: string): never {
  throw platformErrors.parameter_invalid({ param: "file", reason: "not_a_statement", message });
}

async function listParts(zip: ZipFile): Promise<Map<string, Entry>> {
  if (zip.entryCount > entriesMax) refused("This archive contains far more files than a workbook does.");
  const parts = new Map<string, Entry>();
  await new Promise<void>((resolve, reject) => {
    zip.on("error", reject);
    zip.on("end", resolve);
    zip.on("entry", (entry: Entry) => {
      parts.set(entry.fileName, entry);
      zip.readEntry();
    });
    zip.readEntry();
  }).catch(broken);
  return parts;
}

function refuseOddParts(parts: Map<string, Entry>): void {
  const names = [...parts.keys()];
  if ([...parts.values()].some((entry) => entry.isEncrypted()))
    throw platformErrors.parameter_invalid({
      param: "file",
      reason: "file_locked",
      message: "This archive needs a password. Unpack it with the password that the wallet sent you, and send the statement inside.",
    });
  if (!parts.has("xl/workbook.xml")) refused("This is a ZIP archive. Unpack it, and send the statement inside (CSV or XLSX).");
  if (names.some((name) => /vbaProject|\/externalLinks\/|\/embeddings\//i.test(name)))
    refused(
      "This workbook contains macros or links to other files, which a wallet never exports. Export the statement again and send it without opening it.",
    );
}

async function* piecesOf(zip: ZipFile, entry: Entry | undefined): AsyncIterable<Uint8Array> {
  if (entry === undefined) return broken(new Error("a part is missing"));
  const { uncompressedSize, compressedSize } = entry;
  if (uncompressedSize > entryBytesMax || (uncompressedSize > harmlessBytes && uncompressedSize > compressedSize * ratioMax))
    refused("Unpacked, this workbook is far larger than a statement. Export a shorter period.");
  // The archive's own sizes are checked while unpacking: more bytes than declared end the stream with an error.
  const stream = await zip.openReadStreamPromise(entry).catch(broken);
  try {
    for await (const piece of stream) yield piece as Uint8Array;
  } catch (error) {
    broken(error);
  }
}
