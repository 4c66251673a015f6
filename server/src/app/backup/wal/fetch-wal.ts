import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { requireRoomFor } from "../archive/backup-folder.ts";
import { readManifest } from "../archive/manifest.ts";
import type { Bucket } from "../bucket/open-bucket.ts";
import { chooseWal, type Until } from "./choose-wal.ts";
import { walFolder, walKey } from "./wal-history.ts";
import { listWalPieces, parseWalPiece, unfinished } from "./wal-pieces.ts";

/** Downloads the write-ahead log that a restore of a backup needs from the bucket, except what is already on this machine. */
export async function fetchWal(
  bucket: Bucket,
  { backup, until, folder, reserveBytes }: { backup: string; until: Until; folder: string; reserveBytes: number },
): Promise<void> {
  const manifest = await readManifest(backup);
  const here = walFolder(folder, manifest.postgres);
  const known = await listWalPieces(here);
  const prefix = walKey(manifest.postgres, "");
  const pieces = (await bucket.list(prefix)).flatMap((object) => {
    const piece = parseWalPiece(object.key.slice(prefix.length));
    return piece === null ? [] : [{ ...piece, object }];
  });
  const lacking = pieces.filter(({ name }) => !known.some((one) => one.name === name));
  const { following } = chooseWal([...known, ...lacking], { from: backup, where: `the bucket ${bucket.name}`, manifest, until });
  const wanted = following.filter((piece) => "object" in piece);
  await requireRoomFor(
    wanted.map(({ object }) => object),
    { folder, reserveBytes },
  );
  await mkdir(here, { recursive: true, mode: 0o700 });
  for (const { name, object } of wanted) {
    const half = join(here, `${unfinished}${name}`);
    await rm(half, { force: true });
    await bucket.download(object, half);
    await rename(half, join(here, name));
  }
}
