import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { parseLsn } from "#platform/index.ts";
import { requireRoomFor } from "../archive/backup-folder.ts";
import { readManifest } from "../archive/manifest.ts";
import type { Bucket } from "../bucket/open-bucket.ts";
import { walFolder, walKey } from "./wal-history.ts";
import { listWalPieces, parseWalPiece, piecesAfter, unfinished } from "./wal-pieces.ts";

/** Downloads the write-ahead log that follows a backup from the bucket, except what is already on this machine. */
export async function fetchWal(
  bucket: Bucket,
  { backup, folder, reserveBytes }: { backup: string; folder: string; reserveBytes: number },
): Promise<void> {
  const { postgres } = await readManifest(backup);
  const here = walFolder(folder, postgres);
  await mkdir(here, { recursive: true, mode: 0o700 });
  const known = new Set((await listWalPieces(here)).map(({ name }) => name));
  const prefix = walKey(postgres, "");
  const pieces = (await bucket.list(prefix)).flatMap((object) => {
    const piece = parseWalPiece(object.key.slice(prefix.length));
    return piece === null ? [] : [{ ...piece, object }];
  });
  const wanted = piecesAfter(pieces, { timeline: postgres.end.timeline, lsn: parseLsn(postgres.end.lsn) }).filter(
    ({ name }) => !known.has(name),
  );
  await requireRoomFor(
    wanted.map(({ object }) => object),
    { folder, reserveBytes },
  );
  for (const { name, object } of wanted) {
    const half = join(here, `${unfinished}${name}`);
    await rm(half, { force: true });
    await bucket.download(object, half);
    await rename(half, join(here, name));
  }
}
