import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { requireRoomFor } from "../archive/backup-folder.ts";
import type { Identity } from "../archive/encrypt.ts";
import { readManifest } from "../archive/manifest.ts";
import type { Bucket } from "../bucket/open-bucket.ts";
import { chooseWal, type Until } from "./choose-wal.ts";
import { walFolder, walKey } from "./wal-history.ts";
import { findPieceDamage, listWalPieces, parseWalPiece, unfinished } from "./wal-pieces.ts";

interface FetchingWal {
  backup: string;
  until: Until;
  /** Where backups are stored on this machine. */
  folder: string;
  identity: Identity | null;
  reserveBytes: number;
}

/** Downloads the write-ahead log that a restore of a backup needs from the bucket, except what is undamaged on this machine already. */
export async function fetchWal(bucket: Bucket, { backup, until, folder, identity, reserveBytes }: FetchingWal): Promise<void> {
  const manifest = await readManifest(backup);
  const target = walFolder(folder, manifest.postgres);
  const known = await listWalPieces(target);
  const prefix = walKey(manifest.postgres, "");
  const pieces = (await bucket.list(prefix)).flatMap((object) => {
    const piece = parseWalPiece(object.key.slice(prefix.length));
    return piece === null ? [] : [{ ...piece, object }];
  });
  const there = new Map(pieces.map((piece) => [piece.name, piece]));
  const here = new Set(known.map(({ name }) => name));
  const lacking = pieces.filter(({ name }) => !here.has(name));
  const { following } = chooseWal([...known, ...lacking], { from: backup, where: `the bucket ${bucket.name}`, manifest, until });
  const wanted: typeof pieces = [];
  for (const piece of following) {
    const copy = there.get(piece.name);
    if (copy !== undefined && (!("path" in piece) || (await findPieceDamage(piece, identity)) !== null)) wanted.push(copy);
  }
  await requireRoomFor(
    wanted.map(({ object }) => object),
    { folder, reserveBytes },
  );
  await mkdir(target, { recursive: true, mode: 0o700 });
  for (const { name, object } of wanted) {
    const half = join(target, `${unfinished}${name}`);
    await rm(half, { force: true });
    await bucket.download(object, half);
    await rename(half, join(target, name));
  }
}
