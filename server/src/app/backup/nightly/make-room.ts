import { type BackupFolder, isNamedAhead, listBackups, removeBackup, roomIn } from "../archive/backup-folder.ts";
import type { Manifest } from "../archive/manifest.ts";
import { listUnneeded, tidyWal, UnreadableBackup, type WalHistory } from "../wal/index.ts";

/** What must fit, and which database's write-ahead log is being copied at the moment. */
interface Wanted {
  bytes: number;
  reserveBytes: number;
  now: Date;
  current: WalHistory;
}

type Listed = Awaited<ReturnType<typeof listBackups>>;

/**
 * Removes the oldest backups with the write-ahead log that only they need, but never the newest, until two more of this size fit beside the
 * space that must stay free. Returns whether they fit; if even that wouldn't be enough, no backup is removed. Throws a readable error
 * without removing any if what is left of removed ones can't be deleted: each further one would be lost without making room.
 */
export async function makeRoom(
  { path, stuck }: Pick<BackupFolder, "path" | "stuck">,
  { bytes, reserveBytes, now, current }: Wanted,
): Promise<boolean> {
  if (2 * bytes <= (await roomIn(path, reserveBytes))) return true;
  const lack = `There isn't enough disk space for two backups in ${path}, and`;
  // Of backups that were removed manually.
  const left = await tidyWal(path, current).then(
    () => stuck,
    (error: Error) => {
      const log = `write-ahead log that no backup needs any more: ${error.message}`;
      if (error instanceof UnreadableBackup) throw new Error(`${lack} this can't be removed: ${log}`);
      return [...stuck, log];
    },
  );
  const lacking = 2 * bytes - (await roomIn(path, reserveBytes));
  if (lacking <= 0) return true;
  if (left.length > 0) throw new Error(`${lack} what is left of earlier ones can't be removed. Remove it manually: ${left.join(", ")}`);
  const backups = await listBackups(path);
  const removable = datedOf(backups, now).slice(0, -1);
  const kept = backups.filter((one) => !removable.includes(one)).map(({ manifest }) => manifest);
  const unneeded = (await listUnneeded(path, { kept, current })).flatMap(({ pieces }) => pieces);
  if (sumOf([...removable.map(({ manifest }) => sizeOf(manifest)), ...unneeded.map((piece) => piece.bytes)]) < lacking) return false;
  let freed = 0;
  for (const oldest of removable) {
    if (freed >= lacking) break;
    await removeBackup(oldest.path);
    freed += sizeOf(oldest.manifest) + (await tidyWal(path, current));
  }
  return true;
}

const sumOf = (sizes: readonly number[]) => sizes.reduce((sum, size) => sum + size, 0);
const sizeOf = ({ files }: Manifest) => sumOf(files.map(({ bytes }) => bytes));

/** Removes all but the newest `keep` backups. */
export async function keepNewest(folder: string, { keep, now }: { keep: number; now: Date }): Promise<void> {
  for (const { path } of datedOf(await listBackups(folder), now).slice(0, -keep)) await removeBackup(path);
}

/**
 * The backups of a folder, oldest first, without those that are named after a time that is still to come: each would count as the newest,
 * and the one that was just taken would be removed instead. `doctor` reports them.
 */
function datedOf(backups: Listed, now: Date): Listed {
  return backups.filter(({ name }) => !isNamedAhead(name, now));
}
