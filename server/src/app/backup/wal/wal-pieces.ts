import { mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough, Readable, Writable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { segmentBytes, segmentName } from "#platform/index.ts";
import { syncFolder } from "../../embedded/index.ts";
import { readArchive, writeArchive } from "../archive/archive-file.ts";
import { type Identity, WrongKey } from "../archive/encrypt.ts";

/** Consecutive bytes of the write-ahead log in a separate file. */
export interface WalPiece {
  timeline: number;
  start: bigint;
  end: bigint;
}

const hex = (value: bigint | number, width: number) => value.toString(16).padStart(width, "0");
const nameOf = ({ timeline, start, end }: WalPiece) => `${hex(timeline, 8)}-${hex(start, 16)}-${hex(end, 16)}.wal.zst`;
const pattern = /^([0-9a-f]{8})-([0-9a-f]{16})-([0-9a-f]{16})\.wal\.zst(?:\.age)?$/;
/** Name prefix of a piece that is still being written. */
export const unfinished = ".unfinished-";

/** Creates a folder of pieces and removes what a killed process left half written. */
export async function openWalFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of await readdir(folder)) if (name.startsWith(unfinished)) await rm(join(folder, name), { force: true });
}

/** Writes a piece, which gets its final name once it's on disk. Returns that name. */
export async function writeWalPiece(
  folder: string,
  piece: WalPiece & { parts: Buffer[] },
  given: { recipient: string | null; requireRoom(): Promise<void> },
): Promise<string> {
  await given.requireRoom();
  const name = given.recipient === null ? nameOf(piece) : `${nameOf(piece)}.age`;
  const half = join(folder, `${unfinished}${name}`);
  await rm(half, { force: true });
  await writeArchive(Readable.from(piece.parts), { path: half, ...given });
  await rename(half, join(folder, name));
  await syncFolder(folder);
  return name;
}

/** Parses the file name of a piece; null if it isn't one. */
export function parseWalPiece(name: string): (WalPiece & { name: string }) | null {
  const [, timeline, start, end] = pattern.exec(name) ?? [];
  if (timeline === undefined) return null;
  return { timeline: Number(`0x${timeline}`), start: BigInt(`0x${start}`), end: BigInt(`0x${end}`), name };
}

/** The pieces of a folder in order; empty if the folder doesn't exist. */
export async function listWalPieces(folder: string): Promise<(WalPiece & { name: string; path: string })[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  return names
    .flatMap((name) => {
      const piece = parseWalPiece(name);
      return piece === null ? [] : [{ ...piece, path: join(folder, name) }];
    })
    .sort(byStart);
}

const byStart = (one: WalPiece, other: WalPiece) => Number(one.start - other.start);

/** The pieces that follow a position of a timeline without a gap, in order, and the first one behind a gap, if there is one. */
export function piecesAfter<Piece extends WalPiece>(
  pieces: readonly Piece[],
  from: { timeline: number; lsn: bigint },
): { following: Piece[]; beyond: Piece | null } {
  const following: Piece[] = [];
  let reached = from.lsn;
  for (const piece of pieces.toSorted(byStart)) {
    if (piece.timeline !== from.timeline || piece.end <= reached) continue;
    if (piece.start > reached) return { following, beyond: piece };
    following.push(piece);
    reached = piece.end;
  }
  return { following, beyond: null };
}

/** Reads pieces in order, up to the first one that can't be read. Returns those before it, and what is wrong with it, in a sentence. */
export async function readPieces<Piece extends WalPiece & { path: string }>(
  pieces: readonly Piece[],
  identity: Identity | null,
): Promise<{ whole: Piece[]; damage: string | null }> {
  const whole: Piece[] = [];
  for (const piece of pieces) {
    const damage = await findPieceDamage(piece, identity);
    if (damage !== null) return { whole, damage };
    whole.push(piece);
  }
  return { whole, damage: null };
}

/** Reads all of a piece. Returns a sentence about why it can't be used, or null. */
export async function findPieceDamage(
  { path, start, end }: WalPiece & { path: string },
  identity: Identity | null,
): Promise<string | null> {
  if (path.endsWith(".age") && identity === null) return `${path} is encrypted. Pass the file with its private key: --identity <file>.`;
  let bytes = 0;
  const sink = new Writable({
    write(part: Buffer, _encoding, done) {
      bytes += part.length;
      done();
    },
  });
  return readArchive(path, { identity: identityFor(path, identity), sink }).then(
    () => (BigInt(bytes) === end - start ? null : `${path} is damaged: it contains ${bytes} bytes, not ${end - start}.`),
    (error: Error) => (error instanceof WrongKey ? `${path} can't be read. ${error.message}` : `${path} is damaged: ${error.message}.`),
  );
}

function identityFor(path: string, identity: Identity | null): Identity | null {
  return path.endsWith(".age") ? identity : null;
}

/** The size of the segments that `placeWalPieces` makes of consecutive pieces. */
export function bytesPlaced(pieces: readonly WalPiece[]): number {
  const [first, last] = [pieces[0], pieces.at(-1)];
  if (first === undefined || last === undefined) return 0;
  const size = BigInt(segmentBytes);
  return Number((last.end - 1n) / size - first.start / size + 1n) * segmentBytes;
}

/** Reassembles pieces into segments of the write-ahead log, in the folder where PostgreSQL looks for them. */
export async function placeWalPieces(
  pieces: readonly (WalPiece & { path: string })[],
  given: { folder: string; identity: Identity | null; owner: { uid: number; gid: number } | null },
): Promise<void> {
  for (const { timeline, start, path } of pieces) {
    const sink = new PassThrough();
    const [bytes] = await Promise.all([buffer(sink), readArchive(path, { identity: identityFor(path, given.identity), sink })]);
    for (let done = 0; done < bytes.length; ) {
      const lsn = start + BigInt(done);
      const offset = Number(lsn % BigInt(segmentBytes));
      const part = bytes.subarray(done, done + segmentBytes - offset);
      await writeInto(join(given.folder, segmentName(timeline, lsn)), { part, offset, owner: given.owner });
      done += part.length;
    }
  }
  await syncFolder(given.folder);
}

/** The rest of a new file is zeros: there the write-ahead log ends. */
async function writeInto(
  path: string,
  { part, offset, owner }: { part: Buffer; offset: number; owner: { uid: number; gid: number } | null },
): Promise<void> {
  let isNew = false;
  const file = await open(path, "r+").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    isNew = true;
    return open(path, "wx+", 0o600);
  });
  try {
    if (isNew) await file.truncate(segmentBytes);
    if (isNew && owner !== null) await file.chown(owner.uid, owner.gid);
    // A write may take less than it's given.
    for (let done = 0; done < part.length; ) done += (await file.write(part, done, part.length - done, offset + done)).bytesWritten;
    await file.sync();
  } finally {
    await file.close();
  }
}
