import { isNamedAhead, listBackups, removeBackup, roomIn } from "../archive/backup-folder.ts";

/**
 * Removes the oldest backups, but never the newest, until two more of this size fit in addition to the space that must stay free. Returns
 * whether they fit; if even that wouldn't be enough, nothing is removed.
 */
export async function makeRoom(
  folder: string,
  { bytes, reserveBytes, now }: { bytes: number; reserveBytes: number; now: Date },
): Promise<boolean> {
  const lacking = 2 * bytes - (await roomIn(folder, reserveBytes));
  const removable = (await listDated(folder, now))
    .slice(0, -1)
    .map(({ path, manifest }) => ({ path, size: manifest.files.reduce((sum, file) => sum + file.bytes, 0) }));
  if (removable.reduce((sum, { size }) => sum + size, 0) < lacking) return false;
  let freed = 0;
  for (const { path, size } of removable) {
    if (freed >= lacking) break;
    await removeBackup(path);
    freed += size;
  }
  return true;
}

/** Removes all but the newest `keep` backups. */
export async function keepNewest(folder: string, { keep, now }: { keep: number; now: Date }): Promise<void> {
  for (const { path } of (await listDated(folder, now)).slice(0, -keep)) await removeBackup(path);
}

/**
 * The backups of a folder, oldest first, without those that are named after a time that is still to come: each would count as the newest,
 * and the one that was just taken would be removed instead. `doctor` reports them.
 */
async function listDated(folder: string, now: Date): Promise<Awaited<ReturnType<typeof listBackups>>> {
  return (await listBackups(folder)).filter(({ name }) => !isNamedAhead(name, now));
}
