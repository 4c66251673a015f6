import { parseLsn } from "#platform/index.ts";
import type { Manifest } from "../archive/manifest.ts";
import { piecesAfter, type WalPiece } from "./wal-pieces.ts";

/** How far the write-ahead log that follows a backup is replayed: to a time, to its end, or up to the first gap in it. */
export type Until = Date | "latest" | "gap";

interface Choosing {
  /** The backup's folder, and the place of the pieces, for messages. */
  from: string;
  where: string;
  manifest: Manifest;
  until: Until;
}

/** The pieces to restore a backup with. Throws a readable error if they can't lead to the wanted state. */
export function chooseWal<Piece extends WalPiece & { name: string }>(
  pieces: readonly Piece[],
  { from, where, manifest, until }: Choosing,
): Piece[] {
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
  if (until === "gap" && beyond === null)
    throw new Error(`The write-ahead log in ${where} has no gap after this backup. Restore all of it: --at latest.`);
  return following;
}
