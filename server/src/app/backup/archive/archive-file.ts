import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { type Readable, Transform, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { constants, createZstdCompress, createZstdDecompress } from "node:zlib";
import { type Identity, openWith, sealTo } from "./encrypt.ts";
import type { BackupFile } from "./manifest.ts";

const partBytes = 1_048_576;
const compression = { chunkSize: partBytes, params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 } };
/** How much is written between two checks of the disk space. */
export const lookEveryBytes = 16 * partBytes;

export interface ArchiveTarget {
  path: string;
  /** The public key to encrypt to; null for no encryption. */
  recipient: string | null;
  /** Throws if the disk has no room left. */
  requireRoom(): Promise<void>;
}

/**
 * Writes `source` into a new file: compressed, encrypted if there is a key, and on disk when it resolves. Buffers a few megabytes at a
 * time.
 */
export async function writeArchive(source: Readable, { path, recipient, requireRoom }: ArchiveTarget): Promise<BackupFile> {
  const inside = count();
  const hash = createHash("sha256");
  let bytes = 0;
  let looked = -lookEveryBytes;
  const outside = new Transform({
    transform(part: Buffer, _encoding, done) {
      hash.update(part);
      bytes += part.length;
      if (bytes - looked < lookEveryBytes) return done(null, part);
      looked = bytes;
      requireRoom().then(() => done(null, part), done);
    },
  });
  const file = createWriteStream(path, { flags: "wx", mode: 0o600, flush: true, highWaterMark: partBytes });
  await pipeline([
    source,
    inside.stream,
    createZstdCompress(compression),
    ...(recipient === null ? [] : [sealTo(recipient)]),
    outside,
    file,
  ]);
  return { name: basename(path), bytes, sha256: hash.digest("hex"), holds_bytes: inside.bytes() };
}

/** Writes the content of an archive to `sink`. Doesn't verify the checksum. */
export async function readArchive(path: string, { identity, sink }: { identity: Identity | null; sink: Writable }): Promise<void> {
  const file = createReadStream(path, { highWaterMark: partBytes });
  await pipeline([file, ...(identity === null ? [] : [openWith(identity)]), createZstdDecompress({ chunkSize: partBytes }), sink]);
}

/** Throws a readable error if the key doesn't open this file. Reads only its start. */
export async function requireOpening(path: string, identity: Identity): Promise<void> {
  for await (const _part of openWith(identity)(createReadStream(path))) return;
}

/** Returns a sentence about what is wrong with a file of a backup, or null. Reads all of it. */
export async function findDamage(path: string, { name, bytes, sha256 }: BackupFile): Promise<string | null> {
  const size = await stat(path).then(
    (found) => found.size,
    () => null,
  );
  if (size === null) return `${name} is missing`;
  if (size !== bytes) return `${name} has ${size} bytes, not ${bytes}`;
  const hash = createHash("sha256");
  try {
    await pipeline(createReadStream(path, { highWaterMark: partBytes }), hash);
  } catch (error) {
    return `${name} can't be read: ${(error as Error).message}`;
  }
  return hash.digest("hex") === sha256 ? null : `${name} was changed since it was written: its checksum is different`;
}

function count(): { stream: Transform; bytes(): number } {
  let bytes = 0;
  const stream = new Transform({
    transform(part: Buffer, _encoding, done) {
      bytes += part.length;
      done(null, part);
    },
  });
  return { stream, bytes: () => bytes };
}
