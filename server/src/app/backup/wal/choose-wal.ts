import { parseLsn } from "#platform/index.ts";
import type { Identity } from "../archive/encrypt.ts";
import type { Manifest } from "../archive/manifest.ts";
import { piecesAfter, readPieces, type WalPiece } from "./wal-pieces.ts";

/** How far the write-ahead log that follows a backup is replayed: to a time, to its end, or up to the first gap in it. */
export type Until = Date | "latest" | "gap";

interface Choosing {
  /** The backup's folder, and the place of the pieces, for messages. */
  from: string;
  where: string;
  manifest: Manifest;
  until: Until;
}

/**
 * The pieces that follow a backup, and the first one behind a gap, if there is one. Throws a readable error if they can't lead to the
 * wanted state.
 */
export function chooseWal<Piece extends WalPiece & { name: string }>(
  pieces: readonly Piece[],
  { from, where, manifest, until }: Choosing,
): { following: Piece[]; beyond: Piece | null } {
  const { end } = manifest.postgres;
  if (until instanceof Date && until.getTime() < Date.parse(manifest.finished_at))
    throw new Error(`${from} ends at ${manifest.finished_at}, and can only be recovered to later times. Restore an earlier backup.`);
  const { following, beyond } = piecesAfter(pieces, { timeline: end.timeline, lsn: parseLsn(end.lsn) });
  const last = following.at(-1);
  if (last === undefined && beyond === null)
    throw new Error(`${where} has no write-ahead log that follows this backup. It's copied there while BACKUP_WAL is on.`);
  if (last === undefined)
    throw new Error(
      `The write-ahead log in ${where} doesn't follow this backup: it continues only with ${beyond?.name}, and what comes before that is missing. Restore a later backup, or this one without --at.`,
    );
  if (until === "latest" && beyond !== null)
    throw new Error(
      `Part of the write-ahead log is missing in ${where}: it follows this backup up to ${last.name}, and continues only with ${beyond.name}. Restore a later backup, or this one up to the gap, with --at gap, or to an earlier time.`,
    );
  return { following, beyond };
}

/**
 * Reads the pieces to restore a backup with. The first one that can't be read counts as the beginning of a gap, and is described by
 * `damage`: it may have been encrypted to another key since. Only the end of the log can't be reached without it.
 */
export async function chooseWhole<Piece extends WalPiece & { name: string; path: string }>(
  pieces: readonly Piece[],
  { identity, ...choosing }: Choosing & { identity: Identity | null },
): Promise<{ pieces: Piece[]; damage: string | null }> {
  const { following, beyond } = chooseWal(pieces, choosing);
  const { whole, damage } = await readPieces(following, identity);
  if (damage !== null && whole.length === 0) throw new Error(`${damage} Nothing was restored.`);
  if (damage !== null && choosing.until === "latest")
    throw new Error(`${damage} Nothing was restored. Restore up to there, with --at gap, or to an earlier time.`);
  if (choosing.until === "gap" && damage === null && beyond === null)
    throw new Error(`The write-ahead log in ${choosing.where} has no gap after this backup. Restore all of it: --at latest.`);
  return { pieces: whole, damage };
}
